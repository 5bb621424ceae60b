// The page of a desk.
extension DrivenPage {
    /// The numbers of a column, from above.
    public func orders(_ column: String) async throws -> String {
        try await value(
            """
            [...document.querySelectorAll('[data-column=\(column)] .order-number')]
                .map((one) => one.textContent).join(' ')
            """)
    }

    /// Touches a button of an order once it has kept still, and again if the page took no touch: an order that has just
    /// moved takes none, and on a busy computer it may move just before the touch.
    public func take(_ step: String, _ number: String) async throws {
        for _ in 1...10 {
            guard await patiently(until: { try await offers(step, number) }) else { break }
            let id = try await value("\(card(number)).dataset.order")
            let order = "[data-order=\"\(id)\"]"
            try await lets(timersRun: 800)
            try await press("\(order) .order-\(step)")
            let isTaken = try await value(
                """
                !(document.querySelector('\(order) .order-\(step)')?.getClientRects().length > 0)
                    || document.querySelector('\(order) .order-\(step)').matches('.pending, .asked')
                    || document.querySelector('\(order) .order-failure').getClientRects().length > 0
                """)
            if isTaken == "true" { return }
        }
        throw TestSupportError("no \(step) of \(number)")
    }

    /// Takes a step with an order until it is in another column: an assistant whose button did not work, as no answer came
    /// in time, touches it again.
    public func takes(_ step: String, _ number: String, to column: String) async -> Bool {
        await patiently {
            let isThere = try await orders(column).contains(number)
            if !isThere, try await offers(step, number) { try await take(step, number) }
            return isThere
        }
    }

    /// Whether an order has this button, and no answer is awaited.
    private func offers(_ step: String, _ number: String) async throws -> Bool {
        try await value(
            """
            document.querySelector('.order .pending') === null
                && (\(card(number))?.querySelector('.order-\(step)')?.getClientRects().length ?? 0) > 0
            """) == "true"
    }

    /// A script that finds the card of an order.
    private func card(_ number: String) -> String {
        """
        [...document.querySelectorAll('.order')].find((one) =>
            one.querySelector('.order-number').textContent === '\(number)')
        """
    }
}
