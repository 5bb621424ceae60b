import TestSupport

/// The two push services of a run, which take most pushes: a steady one, which is busy now and then, and a shaky one,
/// which also breaks connections off, and can be stopped. Both end the subscriptions of some browsers.
final class PushServicePair: Sendable {
    enum Phase {
        case troubled
        /// Both are only busy now and then.
        case calm
        /// Every push is taken.
        case over
    }

    /// The end of the path of a browser that gets no pushes any more (RFC 8030 7.3).
    static let goneSuffix = "/gone"

    let steady: FakePushService
    let shaky: FakePushService
    private let phase: Locked<Phase>

    init(_ dice: Dice) throws {
        let phase = Locked(Phase.troubled)
        self.phase = phase
        func service(_ name: String, breaksOff: Bool) throws -> FakePushService {
            let dice = Locked(dice.other(name))
            return try FakePushService { path in
                var chance = 0
                dice.change { chance = $0.index(30) }
                if path.hasSuffix(Self.goneSuffix) { return .answers(410) }
                switch phase.value {
                case .troubled where chance == 0 && breaksOff: return .hangsUp
                case .troubled, .calm: return .answers(chance > 26 ? 503 : 201)
                case .over: return .answers(201)
                }
            }
        }
        steady = try service("steady", breaksOff: false)
        shaky = try service("shaky", breaksOff: true)
    }

    var all: [FakePushService] { [steady, shaky] }

    /// The value of `--push-services`.
    var list: String { all.map(\.origin).joined(separator: ",") }

    func enter(_ next: Phase) { phase.change { $0 = next } }
}
