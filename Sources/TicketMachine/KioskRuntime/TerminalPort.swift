public import TerminalSurface

/// The screen in front of the customer; used on the main actor only.
@MainActor
public struct TerminalPort {
    public var size: () -> GridSize
    /// Shows the whole frame; only cells that have changed are sent.
    public var draw: (Surface) -> Void
    /// All input since the last call, without waiting.
    public var read: () -> [TerminalEvent]
    /// Makes a short sound.
    public var beep: () -> Void

    public init(
        size: @escaping () -> GridSize, draw: @escaping (Surface) -> Void,
        read: @escaping () -> [TerminalEvent], beep: @escaping () -> Void
    ) {
        self.size = size
        self.draw = draw
        self.read = read
        self.beep = beep
    }
}
