import Foundation
import TestSupport
import Testing

extension Product {
    /// Starts the product with options, prepares it, and starts its machine in a terminal; the traces have the name of the
    /// present test.
    static func withKiosk(
        _ options: String..., columns: Int = 80, rows: Int = 24, settings: [String: String] = [:],
        prepared: (Product) async throws -> Void = { _ in },
        body: (Product, TmuxTerminal) async throws -> Void
    ) async throws {
        try await with(options) { product in
            try await prepared(product)
            try await product.kiosk(columns: columns, rows: rows, settings: settings) {
                try await body(product, $0)
            }
        }
    }

    /// Sets a clock of the product so many minutes after ten past this hour, so that the shop's day never ends before a
    /// ticket's customer has come in.
    static func set(_ clock: String, minutes: Int) throws {
        let start = Int(Date.now.timeIntervalSince1970) / 3_600 * 3_600 + 600
        let moment = Date(timeIntervalSince1970: TimeInterval(start + 60 * minutes))
        try ClockControl(clock).carryOut("set \(moment.ISO8601Format())")
    }

    /// A command of an administrator about the shop.
    func administer(_ words: String...) async throws {
        try await Tool.succeed(
            ServingBackend.program,
            words + ["--database", services.database, "--shop", services.shop])
    }

    /// Adds a manager to the machine's staff.
    func addManager(_ name: String, pin: String) async throws {
        try await Tool.succeed(
            "sh",
            [
                "-c",
                "echo \(pin) | '\(Tool.program("clup-kiosk"))' staff add '\(name)' --role manager "
                    + "--state '\(services.state)'",
            ])
    }

    /// The words of a paper.
    static func text(of paper: String) async throws -> String {
        try await Tool.succeed("pdftotext", ["-layout", paper, "-"])
    }

    /// The machine in a terminal.
    @discardableResult
    func kiosk<Value>(
        columns: Int = 80, rows: Int = 24, settings: [String: String] = [:],
        environment: [String: String] = [:], body: (TmuxTerminal) async throws -> Value
    ) async throws -> Value {
        try await TmuxTerminal.with(
            columns: columns, rows: rows, command: kiosk(settings), environment: environment,
            file: Test.current?.sourceLocation.fileID ?? #fileID,
            function: Test.current?.name ?? #function, body: body)
    }
}

extension TmuxTerminal {
    /// Presses keys, and waits until the screen has these words.
    @discardableResult
    func press(
        _ keys: String..., shows words: String, _ more: String? = nil
    ) async throws -> String {
        try await press(keys[0])
        try await pressBlindly(Array(keys.dropFirst()))
        return try await shows(words, more ?? words)
    }

    /// Types a code as a reader does, and waits until the screen has these words.
    @discardableResult
    func types(
        _ code: String, end: String = "\r", shows words: String, _ more: String? = nil
    ) async throws -> String {
        try await types(code, end: end)
        return try await shows(words, more ?? words)
    }
}
