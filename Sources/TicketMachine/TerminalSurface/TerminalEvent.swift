/// What a terminal can tell: keys reduced to what the kiosk knows, touches by cell.
public enum TerminalEvent: Hashable, Sendable {
    case key(Key)
    /// A finger went down.
    case press(GridPosition)
    /// It went up again, perhaps somewhere else.
    case release(GridPosition)
    /// Down and up at one place, both read in one go: no press and no release comes for it.
    case click(GridPosition)
    case resize(GridSize)
    /// Ctrl-C: an event and not a signal, so that the kiosk in the street can pass over it.
    case interrupt
    /// The terminal is gone; nothing more can be read or shown.
    case hangup

    public enum Key: Hashable, Sendable {
        /// Tab, down, right.
        case next
        /// Shift-Tab, up, left.
        case previous
        /// Enter.
        case choose
        /// The space bar: a letter where letters are typed, else as `choose`.
        case space
        /// Escape.
        case back
        /// Backspace: takes back what was typed last, else as `back`.
        case erase
        /// F1 to F12; 0 for a key that the terminal's description does not have.
        case function(Int)
        /// Anything else that can be typed, control characters too: a code reader that acts as a
        /// keyboard types these.
        case character(Unicode.Scalar)
    }
}
