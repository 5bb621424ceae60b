/// An event of a terminal: a key, reduced to those the kiosk knows, or a touch of a cell.
public enum TerminalEvent: Hashable, Sendable {
    case key(Key)
    /// A finger touched the screen.
    case press(GridPosition)
    /// The finger left the screen, perhaps at another place.
    case release(GridPosition)
    /// Press and release at one place, read at once; neither is reported separately.
    case click(GridPosition)
    case resize(GridSize)
    /// Ctrl-C, an event and not a signal, so that a kiosk in the street can ignore it.
    case interrupt
    /// The terminal is gone; nothing more can be read or shown.
    case hangup

    public enum Key: Hashable, Sendable {
        /// Tab, down or right.
        case next
        /// Shift-Tab, up or left.
        case previous
        /// Enter.
        case choose
        /// The space bar: a letter while letters are typed, otherwise the same as `choose`.
        case space
        /// Escape.
        case back
        /// Backspace: deletes the last character typed, otherwise the same as `back`.
        case erase
        /// F1 to F12; 0 for a key that is missing in the terminal's description.
        case function(Int)
        /// Any other character that can be typed, including control characters: a code reader that acts as a
        /// keyboard types these.
        case character(Unicode.Scalar)
    }
}
