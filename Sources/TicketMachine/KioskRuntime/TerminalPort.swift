public import TerminalSurface

/// The screen in front of the customer; used on the main actor only.
@MainActor
public struct TerminalPort {
    public var size: () -> GridSize
    /// Shows the whole frame; what has not changed costs nothing on the wire.
    public var draw: (Surface) -> Void
    /// All that was typed and touched since the last call, without waiting.
    public var read: () -> [TerminalEvent]
    /// A short sound.
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
