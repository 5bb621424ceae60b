public import TerminalSurface

/// The screen in front of the customer.
@MainActor public protocol TerminalPort {
    var size: GridSize { get }
    /// Shows the whole frame; only cells that have changed are sent.
    func draw(_ surface: Surface)
    /// All input since the last call, without waiting.
    func read() -> [TerminalEvent]
    /// Makes a short sound.
    func beep()
}
