public import Reservations

/// What a customer looks for with a code.
public enum Sought: String, Hashable, Sendable, Codable, CaseIterable {
    /// A ticket or a visit [UC13].
    case reservation
    /// An order that is collected [Click-And-Collect UC10].
    case order
}

/// A code that was read or typed, with what it is the secret of.
public enum ReadCode: Hashable, Sendable, Codable {
    case reservation(PresentedCode)
    case order(PresentedOrderCode)

    /// A symbol says itself what it belongs to; ten digits belong to what the customer looks for.
    ///
    /// Refuses text that is no code of ours through any keyboard layout.
    init?(read text: String, sought: Sought) {
        let reservation = PresentedCode(read: text)
        let order = PresentedOrderCode(read: text)
        switch (sought, reservation, order) {
        case (_, .entry, _), (.reservation, .typed, _):
            guard let reservation else { return nil }
            self = .reservation(reservation)
        case (_, _, .entry), (.order, _, .typed):
            guard let order else { return nil }
            self = .order(order)
        case (_, nil, _), (_, _, nil): return nil
        }
    }

    public var sought: Sought {
        switch self {
        case .reservation: .reservation
        case .order: .order
        }
    }

    /// The code as it goes over the wire: a secret.
    public var text: String {
        switch self {
        case .reservation(let code): code.text
        case .order(let code): code.text
        }
    }
}

extension Refusal {
    /// The sentences for customers if their code is refused so; nil if the refusal is not about such a code.
    public func sentences(for sought: Sought) -> Sentences? {
        switch sought {
        case .reservation: customerSentences
        case .order: orderSentences
        }
    }
}
