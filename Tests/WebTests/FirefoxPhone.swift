import Foundation
import Glibc
import TestSupport

/// A phone with Firefox, which shows a page at a time, and with the push service that it gets notices from.
///
/// `Firefox/phone.py` drives the browser and is the push service; this class speaks with it by lines of JSON.
final class FirefoxPhone: DrivenPage {
    /// What a sender posted to the push service.
    struct Post: Decodable, Sendable {
        let path: String
        let ttl: String?
        let urgency: String?
        let status: Int
        let reason: String
        /// What the browser said of the message: 100 if it is decrypted and given to the worker; nil before.
        let acknowledged: Int?
    }

    /// A notification that the browser has drawn since it was started.
    struct Notification: Decodable, Sendable {
        let title: String
        let body: String
        let language: String
        /// Whether it is still shown.
        let isOpen: Bool
    }

    /// The push service's origin.
    let pushService: String

    private let folder: TemporaryFolder
    private let program: RunningProgram
    private let lines: Lines

    private init(language: String) async throws {
        folder = try TemporaryFolder()
        var ends: [Int32] = [-1, -1]
        guard
            socketpair(
                AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else { throw TestSupportError("socketpair: \(String(cString: strerror(errno)))") }
        let lines = Lines(ends[0])
        self.lines = lines
        do {
            defer { close(ends[1]) }
            program = try Tool.start(
                Tool.repository.appending(path: ".build/schemathesis/bin/python3").path,
                [
                    // Without files of compiled modules beside them.
                    "-B", Tool.repository.appending(path: "Tests/WebTests/Firefox/phone.py").path,
                    folder.path, language, "360", "640",
                ], streams: .dialogue(ends[1], errors: folder.file("errors.log")))
        } catch {
            lines.end()
            throw error
        }
        do {
            struct First: Decodable { let pushService: String }
            let line = try await Self.onThread { try lines.next() }
            pushService = try JSONDecoder().decode(First.self, from: line).pushService
        } catch {
            let said = try? String(contentsOfFile: folder.file("errors.log"), encoding: .utf8)
            await program.stop()
            lines.end()
            throw TestSupportError("the phone did not start: \(error) \(said ?? "")")
        }
    }

    /// Starts a phone whose owner reads a language, and ends it after the body.
    static func with<Value>(
        language: String, body: (FirefoxPhone) async throws -> Value
    ) async throws -> Value {
        let phone = try await FirefoxPhone(language: language)
        return try await ending(
            phone,
            by: { phone in
                await phone.program.stop()
                phone.lines.end()
            },
            after: { phone in
                try await phone.switchOn()
                return try await body(phone)
            })
    }

    // MARK: The browser

    func switchOn() async throws { try await command(["do": "switchOn"]) }

    /// Ends the browser, whose profile stays.
    func switchOff() async throws { try await command(["do": "switchOff"]) }

    func open(_ url: String) async throws { try await command(["do": "open", "url": url]) }

    func reload() async throws { try await command(["do": "reload"]) }

    func closePage() async throws { try await command(["do": "closePage"]) }

    /// The addresses of all pages that are open, also of the browser's own empty one.
    func pages() async throws -> [String] { try await answer(["do": "pages"]) }

    func value(_ expression: String) async throws -> String {
        let text =
            "(async () => { const v = await (\(expression)); return v == null ? '' : String(v) })()"
        return try await answer(["do": "value", "expression": text])
    }

    func run(_ body: String) async throws {
        try await command([
            "do": "value", "expression": "(async () => { \(body)\n })().then(() => null)",
        ])
    }

    func touch(_ selector: String) async throws {
        try await command(["do": "touch", "selector": selector])
    }

    func type(_ text: String) async throws { try await command(["do": "type", "text": text]) }

    func photograph(_ path: String) async throws {
        let text: String = try await answer(["do": "picture"])
        guard let data = Data(base64Encoded: text) else { throw TestSupportError("no picture") }
        try data.write(to: URL(filePath: path))
    }

    // MARK: Notices

    /// The notifications since the browser was started, oldest first.
    func notifications() async throws -> [Notification] {
        try await answer(["do": "notifications"])
    }

    /// Touches the last notification that is shown.
    func touchNotification() async throws { try await command(["do": "touchNotification"]) }

    /// What the push service was sent, oldest first.
    func posts() async throws -> [Post] { try await answer(["do": "posts"]) }

    /// Has the push service answer everything with a status from now on.
    func answerPosts(_ status: Int) async throws {
        try await command(["do": "answer", "status": status])
    }

    // MARK: The program

    private struct Answer<Value: Decodable>: Decodable {
        let value: Value?
        let error: String?
    }

    private func command(_ command: [String: Any]) async throws {
        struct Nothing: Decodable {}
        let _: Nothing? = try await exchange(command)
    }

    private func answer<Value: Decodable>(_ command: [String: Any]) async throws -> Value {
        guard let value: Value = try await exchange(command) else {
            throw TestSupportError("no value: \(command)")
        }
        return value
    }

    private func exchange<Value: Decodable>(_ command: [String: Any]) async throws -> Value? {
        let line = try JSONSerialization.data(withJSONObject: command)
        let data = try await Self.onThread { [lines] in try lines.answer(to: line) }
        let answer = try JSONDecoder().decode(Answer<Value>.self, from: data)
        if let error = answer.error {
            throw TestSupportError("\(error): \(String(decoding: line.prefix(200), as: UTF8.self))")
        }
        return answer.value
    }

    /// Runs what waits for the program on a thread of its own.
    private static func onThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread { done.resume(with: Result { try work() }) }
        }
    }
}

/// Lines that are sent over a socket, each of which is answered by one.
private final class Lines: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 90, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends a line, and waits for the next one.
    func answer(to line: Data) throws -> Data {
        try UnixStream.send(Array(line) + [UInt8(ascii: "\n")], to: descriptor)
        return try next()
    }

    func next() throws -> Data {
        var line = Data()
        var bytes = [UInt8](repeating: 0, count: 65_536)
        repeat {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else {
                throw TestSupportError(
                    count == 0 ? "it has ended" : String(cString: strerror(errno)))
            }
            line.append(contentsOf: bytes[..<count])
        } while line.last != UInt8(ascii: "\n")
        return line.dropLast()
    }

    func end() { close(descriptor) }
}
