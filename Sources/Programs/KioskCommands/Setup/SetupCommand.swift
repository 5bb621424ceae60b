import Glibc

/// `setup`: from what somebody types, from a file or from a stick to a machine that serves.
enum SetupCommand {
    private static var help: String {
        let own = SetupAnswers.own.map { name, meaning in "  \(name)\n      \(meaning)" }
        return """
            clup-kiosk setup - make a ticket machine of this computer, or change it

            Usage: clup-kiosk setup [--config FILE]                 ask, in this terminal
                   clup-kiosk setup --file ANSWERS [--config FILE]  take a file of answers
                   clup-kiosk setup printer [ADDRESS] [--second] [--queue NAME] [--paper 58|80]
                                            [--no-test] [--config FILE]
                   clup-kiosk setup printer --list                  the printers that can be found
                   clup-kiosk setup sign ANSWERS --keys DIRECTORY   sign answers for a USB stick
                   clup-kiosk setup stick DIRECTORY [--config FILE] take a stick's signed answers

            Run it as root. It may be given again: what is there is the default, and only what changes is
            written. Nothing is changed before the last question is answered; Ctrl-C leaves all as it was.
            It ends with what doctor says, and doctor's status.

            ANSWERS has lines "name = value". The names are the settings of clup-kiosk --help, and

            \(own.joined(separator: "\n"))

            What a file does not name stays as it is; "-" as a value takes a setting away.

            sign makes a key pair in DIRECTORY at its first use, prints the public half, which belongs into
            \(SignedAnswers.keyFile) of each machine, and writes \(SignedAnswers.fileName) beside ANSWERS.
            ANSWERS then also has "serial", a number that grows with each change, and "machine", the computer
            it is for: its host name, its serial number or the id in /etc/machine-id, or "any".
            """
    }

    @MainActor
    static func run(_ words: [String]) throws -> Int32 {
        if words.contains("--help") || words.contains("-h") {
            print(help)
            return 0
        }
        var rest = words
        switch rest.first {
        case "printer":
            rest.removeFirst()
            return try SetupPrinterCommand.run(&rest)
        case "sign":
            rest.removeFirst()
            return try SignCommand.run(&rest)
        case "stick":
            rest.removeFirst()
            return try StickCommand.run(&rest)
        default: break
        }
        let file = try option("--file", &rest)
        let configuration = try option("--config", &rest) ?? Configuration.defaultFile
        try nothingIsLeft(rest)
        let present = try PresentMachine(file: configuration)
        let answers: SetupAnswers
        if let file {
            answers = try SetupAnswers(file: file)
        } else {
            guard isatty(STDIN_FILENO) == 1 else {
                throw Configuration.Malformed(
                    description: "setup asks in a terminal; without one give --file ANSWERS.")
            }
            var interview = Interview(present)
            answers = try interview.hold()
        }
        var plan = try SetupPlan(answers, on: present)
        return try plan.carryOut { say($0) }
    }

    /// At once, also where the output is a file.
    static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    static func option(_ name: String, _ words: inout [String]) throws -> String? {
        guard let place = words.firstIndex(of: name) else { return nil }
        guard place + 1 < words.count else {
            throw Configuration.Malformed(description: "\(name) needs a value after it.")
        }
        let value = words[place + 1]
        words.removeSubrange(place...place + 1)
        return value
    }

    static func flag(_ name: String, _ words: inout [String]) -> Bool {
        guard let place = words.firstIndex(of: name) else { return false }
        words.remove(at: place)
        return true
    }

    static func nothingIsLeft(_ words: [String]) throws {
        guard let word = words.first else { return }
        throw Configuration.Malformed(
            description: "setup does not know \"\(word)\"; see clup-kiosk setup --help.")
    }
}
