import TerminalSurface

/// The result of `doctor` for one part of the machine.
struct Finding {
    enum State: String, Encodable {
        case ok
        /// The machine serves, but not as it should.
        case weak
        /// The machine cannot serve.
        case wrong
    }

    let state: State
    /// The finding, and the remedy if there is something to do.
    let text: String

    private init(_ state: State, _ text: String) {
        self.state = state
        self.text = PlainText.clean(text, limit: 1_000)
    }

    static func good(_ text: String) -> Finding { Finding(.ok, text) }
    static func weak(_ text: String) -> Finding { Finding(.weak, text) }
    static func wrong(_ text: String) -> Finding { Finding(.wrong, text) }
}
