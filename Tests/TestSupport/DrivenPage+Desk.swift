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

    /// Touches a button of an order once it has kept still: an answer that is awaited may still move it.
    public func take(_ step: String, _ number: String) async throws {
        let find = """
            [...document.querySelectorAll('.order')].find((one) =>
                one.querySelector('.order-number').textContent === '\(number)')
            """
        guard
            await patiently(until: {
                try await value(
                    """
                    document.querySelector('.order .pending') === null
                        && (\(find)?.querySelector('.order-\(step)')?.getClientRects().length ?? 0) > 0
                    """) == "true"
            })
        else { throw TestSupportError("no \(step) of \(number)") }
        let id = try await value("\(find).dataset.order")
        // An order that has just moved takes no touch.
        try await lets(timersRun: 800)
        try await press("[data-order=\"\(id)\"] .order-\(step)")
    }
}
