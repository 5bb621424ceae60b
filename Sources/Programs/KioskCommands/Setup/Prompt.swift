import Glibc

/// Asks questions at a terminal; Ctrl-C and Ctrl-D end the program before it has changed anything.
@MainActor struct Prompt {
    init() {
        tcgetattr(STDIN_FILENO, &usualModes)
        signal(SIGINT, interrupted)
        signal(SIGTERM, interrupted)
    }

    func end() {
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }

    func say(_ text: String) { SetupCommand.say(text) }

    /// The line that was typed, without spaces at its ends; empty if the present value should stay.
    func ask(_ question: String, now: String?) throws -> String {
        print("\(question)\(now.map { " [\($0)]" } ?? ""): ", terminator: "")
        fflush(nil)
        guard let line = readLine() else {
            print("")
            throw Interview.unchanged
        }
        return line.trimmed
    }

    /// The same as `ask`, for an answer that must not be visible.
    func secret(_ question: String) throws -> String {
        var silent = usualModes
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &usualModes)
            print("")
        }
        return try ask(question, now: nil)
    }

    func yes(_ question: String) throws -> Bool {
        while true {
            switch try ask("\(question) yes or no", now: nil).lowercased() {
            case "yes", "y": return true
            case "no", "n": return false
            default: continue
            }
        }
    }
}

/// The former modes of the terminal: a PIN is typed without being shown.
///
/// They are written once, before the signal handlers that use them are installed; a handler may take no lock
/// (signal-safety(7)), so that no Mutex can hold them.
private nonisolated(unsafe) var usualModes = termios()

private let interrupted: @convention(c) (Int32) -> Void = { number in
    // Only functions that a signal handler may call are used here (signal-safety(7)).
    tcsetattr(STDIN_FILENO, TCSANOW, &usualModes)
    let words: StaticString = "\nNothing was changed.\n"
    _ = write(STDOUT_FILENO, words.utf8Start, words.utf8CodeUnitCount)
    _exit(128 + number)
}
