import CBenchFloors
import Cryptography
import Glibc
import WebPush

/// The cost of a push at the backend: sealing its content for the browser, and signing the token.
enum PushBench {
    private static let times = 1_000
    /// As long as the contents of notices.
    private static let content = [UInt8](repeating: 0x61, count: 300)

    static func run(_ options: Options, _ report: Report) throws {
        Progress.say("push ...")
        guard
            // The browser of RFC 8291 5.
            let keys = PushKeys(
                p256dh:
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6"
                    + "SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg"),
            let key = VapidKey(secret: RandomBytes.make(32))
        else { throw BenchError("the keys of the measurement are wrong") }
        let sealing = try milliseconds {
            guard SealedPush.seal(content, for: keys) != nil else {
                throw BenchError("a content is too long")
            }
        }
        let signing = milliseconds {
            _ = key.authorization(
                for: "https://push.example.com", subject: nil, expires: 1_900_000_000)
        }
        let floor = try milliseconds {
            guard clup_floor_p256_products() == 0 else {
                throw BenchError("nettle does not multiply")
            }
        }
        report.figure(
            "push.seal", sealing, "ms",
            floor: Floor("nettle's two products of points alone", floor),
            budget: .atMost(0.5), n: times)
        report.figure(
            "push.sign", signing, "ms",
            floor: Floor("nettle's two products of points alone", floor),
            budget: .atMost(0.5), n: times)
    }

    /// CPU milliseconds of the body on the average, after one run that does not count.
    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        try body()
        let begin = Clock.thread
        for _ in 0..<times { try body() }
        return Double(Clock.thread - begin) / Double(times) / 1e6
    }
}
