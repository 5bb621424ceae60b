/// The commands for a paper; printers of other makers use the same bytes.
///
/// Names and numbers are those of Epson's ESC/POS command reference. Text is never sent: a paper is made of dots, so
/// that no name of a shop or a customer can become a command.
public enum ESCPOSCommand {
    /// ESC @: clears settings that an earlier job may have left.
    public static let initialise: [UInt8] = [0x1B, 0x40]
    /// GS a 0: the printer sends nothing unasked (automatic status back).
    public static let reportNothingUnasked: [UInt8] = [0x1D, 0x61, 0]
    /// GS V 66 0: feeds to the cutter, and cuts.
    public static let feedAndCut: [UInt8] = [0x1D, 0x56, 66, 0]
    /// GS r 1: the printer answers when everything before it has been printed.
    public static let reportWhenDone: [UInt8] = [0x1D, 0x72, 1]
    /// DLE DC4 8: the printer forgets at once all data that is not printed yet.
    public static let clearBuffers: [UInt8] = [0x10, 0x14, 8, 1, 3, 20, 1, 6, 2, 8]

    /// DLE EOT: a question that the printer answers at once, even while it is busy.
    public enum Question: UInt8, Hashable, Sendable, CaseIterable {
        case printer = 1
        case offlineCause = 2
        case errorCause = 3
        case paper = 4

        public var bytes: [UInt8] { [0x10, 0x04, rawValue] }
    }
}
