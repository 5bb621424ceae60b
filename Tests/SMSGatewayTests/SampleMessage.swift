import Reservations
import SMSGateway
import Testing

enum SampleMessage {
    static let number = "+393331234567"

    static func with(_ text: String = "Ciao", validMinutes: Int = 10) throws -> SMSMessage {
        let number = try #require(PhoneNumber(rawValue: number))
        return try #require(SMSMessage(to: number, text: text, validMinutes: validMinutes))
    }
}

extension MessageGateway {
    /// Hands messages over at once, and returns their outcomes in order.
    func send(_ messages: [SMSMessage]) async -> [SMSOutcome] {
        await withTaskGroup { group in
            for (index, message) in messages.enumerated() {
                group.addTask { (index, await self.send(message)) }
            }
            var outcomes = [SMSOutcome](repeating: .unreached, count: messages.count)
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }
}
