import CommandSyntax
import Cryptography
import Glibc
import KeyFile

/// `setup sign`: the administrator's side of a stick.
enum SignCommand {
    static func run(_ arguments: Arguments) throws {
        let keys = try arguments.required("keys")
        let path = arguments.operands[0]
        let bytes = try SignedAnswers.read(path, maxBytes: SignedAnswers.maxBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError.configuration("\(path) is no text in UTF-8.")
        }
        let answers = try SignedAnswers(text: text, path: path)
        let key = try key(in: keys)
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let output = "\(folder)/\(SignedAnswers.fileName)"
        guard output != path, output != "./\(path)" else {
            throw CommandError.configuration(
                "\(path) has the name of what is made of it: give your answers another.")
        }
        unlink(output)
        // The answers may contain a PIN.
        let file = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let signed = Array(SignedAnswers.sign(text, with: key).utf8)
        guard file >= 0, write(file, signed, signed.count) == signed.count, close(file) == 0 else {
            throw CommandError.system(errno) { "\(output) cannot be written: \($0)." }
        }
        print(key.publicKey.text)
        printError(
            "\(output) is signed for \"\(answers.machine)\", serial \(answers.serial): copy it onto a "
                + "stick with the label CLUP-SETUP. The key above belongs into "
                + "\(SignedAnswers.keyFile) of the machines that shall take it.")
    }

    private static func key(in directory: String) throws -> SigningKey {
        try StateDirectory.make(directory)
        let sealed = SealedKey.ofAdministrator(in: directory)
        let wrapping = try WrappingKey(
            credentials: nil, file: "\(directory)/setup-key.wrapping"
        ).ensure()
        return try sealed.exists ? sealed.load(under: wrapping) : sealed.make(under: wrapping)
    }
}

/// `setup stick`: applies the answers of a stick that was plugged in.
enum StickCommand {
    /// The record of the last answers that were applied; only root may write it, unlike the machine's own state.
    static let record = "/var/lib/clup-setup/applied"

    static func run(_ arguments: Arguments) throws {
        let configuration = arguments.optional("config") ?? Configuration.defaultFile
        let keyFile = arguments.optional("key") ?? SignedAnswers.keyFile
        let record = arguments.optional("applied") ?? Self.record
        let directory = arguments.operands[0]
        let key = try key(keyFile)
        let path = "\(directory)/\(SignedAnswers.fileName)"
        let signed = try SignedAnswers(
            signed: SignedAnswers.read(path, maxBytes: SignedAnswers.maxBytes), by: key, path: path)
        try signed.check(for: SignedAnswers.namesOfThisComputer)
        guard try isNew(signed, key, record) else {
            SetupCommand.say(
                "The stick's answers are those that this machine has (serial \(signed.serial)).")
            return
        }
        let present = try InstalledMachine(file: configuration)
        var plan = try SetupPlan(signed.answers, on: present)
        try keep(signed, key, record, isDone: false)
        do { try plan.carryOut { SetupCommand.say($0) } } catch let error as CommandError {
            if error.description.isEmpty {
                SetupCommand.say(
                    "The stick's answers are taken, but something is wrong: see above.")
            }
            throw error
        }
        try keep(signed, key, record, isDone: true)
        SetupCommand.say("The stick's answers are taken (serial \(signed.serial)): pull it out.")
    }

    private static func key(_ file: String) throws -> PublicKey {
        let refusal = "This machine takes no stick:"
        guard access(file, F_OK) == 0 else {
            throw CommandError.failure(
                "\(refusal) the administrator's public key is not in \(file).")
        }
        let text = String(decoding: try SignedAnswers.read(file, maxBytes: 1_024), as: UTF8.self)
        let lines = text.split(separator: "\n").map { String($0).trimmed }
        guard let line = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("#") }),
            let key = PublicKey(text: line)
        else {
            throw CommandError.failure(
                "\(refusal) \(file) holds no public key (43 characters, as \"clup-kiosk setup sign\" "
                    + "prints it).")
        }
        return key
    }

    /// Whether these answers were not completely applied before; throws if later ones were.
    ///
    /// The serial numbers of another administrator's key are counted separately.
    private static func isNew(
        _ signed: SignedAnswers, _ key: PublicKey, _ record: String
    ) throws -> Bool {
        guard access(record, F_OK) == 0 else { return true }
        let last = try KeyValueFile(record, kind: "record of sticks")
        guard last["key"] == key.text else { return true }
        guard let serial = last["serial"].flatMap({ Int($0) }) else {
            throw CommandError.configuration(
                "\(record) does not say what was taken last: remove it, and put the "
                    + "newest stick in.")
        }
        guard signed.serial >= serial else {
            throw CommandError.failure(
                "The stick is older (serial \(signed.serial)) than what this machine took last (serial "
                    + "\(serial)): sign a new one with a higher serial.")
        }
        guard signed.serial == serial else { return true }
        guard last["digest"] == signed.digest else {
            throw CommandError.failure(
                "This machine took other answers with serial \(serial) already: sign these with a "
                    + "higher one.")
        }
        return last["done"] != "yes"
    }

    private static func keep(
        _ signed: SignedAnswers, _ key: PublicKey, _ record: String, isDone: Bool
    ) throws {
        let isKept = KeyValueFile.keep(
            [
                ("key", key.text), ("serial", "\(signed.serial)"), ("digest", signed.digest),
                ("done", isDone ? "yes" : "no"),
            ], at: record)
        guard isKept else {
            throw CommandError.system(errno) { "\(record) cannot be written: \($0)." }
        }
    }
}
