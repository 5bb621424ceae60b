import CBenchFloors
import Cryptography
import WebPush

/// The cost of a push at the backend: sealing its content for the browser, and signing the token.
enum PushBench {
    private static let times = 1_000
    /// As long as the contents of notices.
    private static let content = [UInt8](repeating: 0x61, count: 300)

    static func run(_: Workspace, _ report: Report) throws {
        Progress.say("push ...")
        guard
            // The browser of RFC 8291 5.
            let keys = PushKeys(
                p256dh:
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6"
                    + "SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg"),
            let key = VapidKey(secret: RandomBytes.make(32))
        else { throw BenchError("the keys of the measurement are wrong") }
        let sealing = try Clock.work(of: times) {
            guard SealedPush.seal(content, for: keys) != nil else {
                throw BenchError("a content is too long")
            }
        }
        let signing = Clock.work(of: times) {
            _ = key.authorization(
                for: "https://push.example.com", subject: nil, expires: 1_900_000_000)
        }
        let floor = try Clock.work(of: times) {
            guard clup_floor_p256_products() == 0 else {
                throw BenchError("nettle does not multiply")
            }
        }
        for (name, cost) in [("push.seal", sealing), ("push.sign", signing)] {
            report.figure(
                name, cost / 1e6, "ms",
                floor: Floor("nettle's two products of points alone", floor / 1e6),
                budget: .atMost(0.5), n: times)
        }
    }
}
