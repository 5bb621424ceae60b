import CommandSyntax
import Cryptography
import Glibc

/// The answers on a stick: lines as for `setup --file`, among them `serial` and `machine`, and a last line
/// "signature = ..." by the administrator's Ed25519 key over every byte before it.
struct SignedAnswers {
    static let fileName = "clup-setup.conf"
    /// The administrator's public key; a machine without it accepts no stick.
    static let keyFile = "/etc/clup/setup.key"
    /// A file of answers has about a page; a longer file holds no answers.
    static let maxBytes = 64 * 1_024

    /// The signed text begins with this, so that the signature is valid for no other purpose.
    private static let domain = "CLup setup 1\n"
    private static let mark = "signature = "

    let answers: SetupAnswers
    /// Increases with each change, so that an older stick does not undo a later change.
    let serial: Int
    /// The computer that the answers are for; `any` for all.
    let machine: String
    /// The digest of exactly these answers.
    let digest: String

    /// Reads the text to be signed, or a signed text; errors name the file by `path`.
    init(text: String, path: String) throws {
        var lines = try KeyValueFile(
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
            path: path
        ).values
        func take(_ name: String) throws -> String {
            guard let place = lines.firstIndex(where: { $0.name == name }) else {
                throw CommandError.configuration(
                    "\(path) has no line \"\(name) = ...\"; see clup-kiosk setup --help.")
            }
            return lines.remove(at: place).value
        }
        let number = try take("serial")
        guard let serial = Int(number), serial > 0 else {
            throw CommandError.configuration(
                "\(path): serial is a whole number from 1 on, not \"\(number)\".")
        }
        self.serial = serial
        machine = try take("machine")
        answers = try SetupAnswers(lines, path: path)
        digest = Base64.encode(SHA256.digest(Array(text.utf8)), .urlSafe)
    }

    /// Opens signed answers; throws if the signature is not valid, before any answer is read.
    init(signed bytes: [UInt8], by key: PublicKey, path: String) throws {
        guard let text = String(validating: bytes, as: UTF8.self),
            let place = Self.place(ofSignatureIn: text)
        else {
            throw CommandError.failure(
                "\(path) is not signed: sign it with \"clup-kiosk setup sign\".")
        }
        let signed = text[..<place]
        let signature = text[place...].dropFirst(Self.mark.count).trimmed
        guard let signature = Base64.decode(signature, .urlSafe),
            key.verify(signature, of: Array((Self.domain + signed).utf8))
        else {
            throw CommandError.failure(
                "\(path) was not signed by this machine's administrator, or was changed since.")
        }
        try self.init(text: String(signed), path: path)
    }

    /// The text with its signature, as it is written on a stick.
    static func sign(_ text: String, with key: SigningKey) -> String {
        let text = text.hasSuffix("\n") ? text : text + "\n"
        let signature = key.sign(Array((domain + text).utf8))
        return text + mark + Base64.encode(signature, .urlSafe) + "\n"
    }

    /// The beginning of the last line, if it is a signature.
    private static func place(ofSignatureIn text: String) -> String.Index? {
        let body = text.hasSuffix("\n") ? text.dropLast() : text[...]
        let begin = body.lastIndex(of: "\n").map { body.index(after: $0) } ?? body.startIndex
        return body[begin...].hasPrefix(mark) ? begin : nil
    }

    func check(for names: [String]) throws {
        guard machine == "any" || names.contains(machine) else {
            throw CommandError.failure(
                "The stick is for the machine \"\(machine)\"; this one is "
                    + names.map { "\"\($0)\"" }.joined(separator: " or ") + ".")
        }
    }

    /// The names of this computer: its host name, its id, and serial numbers of its manufacturer.
    static var namesOfThisComputer: [String] {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count)
        let name = String(
            decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let files = [
            "/etc/machine-id", "/sys/class/dmi/id/product_serial", "/sys/class/dmi/id/board_serial",
        ]
        let others = files.compactMap { try? Self.read($0, maxBytes: 256) }.map {
            String(decoding: $0, as: UTF8.self).trimmed
        }
        // Some manufacturers leave the number empty, or a single character.
        return [name] + others.filter { $0.count >= 4 }
    }

    /// The bytes of a file that is not a link and has at most `maxBytes` bytes.
    static func read(_ path: String, maxBytes: Int) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            throw CommandError.system(errno) { "\(path) cannot be read: \($0)." }
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= maxBytes {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                throw CommandError.system(errno) { "\(path) cannot be read: \($0)." }
            }
            bytes += buffer[..<count]
        }
        throw CommandError.configuration(
            "\(path) is longer than \(maxBytes / 1_024) KiB: it is no file of answers.")
    }
}
