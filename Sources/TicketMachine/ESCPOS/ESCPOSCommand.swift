/// The commands that a paper is made of; printers of other makers know them under the same bytes.
///
/// Names and numbers are those of Epson's ESC/POS command reference. No text is ever sent: a paper is
/// dots, so that nothing a shop or a customer is called can become a command.
public enum ESCPOSCommand {
    /// ESC @: settings that a former job may have left are gone.
    public static let initialise: [UInt8] = [0x1B, 0x40]
    /// GS a 0: nothing is told unasked (automatic status back).
    public static let tellNothingUnasked: [UInt8] = [0x1D, 0x61, 0]
    /// GS V 66 0: feeds to the cutter, and cuts.
    public static let feedAndCut: [UInt8] = [0x1D, 0x56, 66, 0]
    /// GS r 1: answers when everything before it has been done.
    public static let tellWhenDone: [UInt8] = [0x1D, 0x72, 1]
    /// DLE DC4 8: forgets at once whatever is not printed yet.
    public static let clearBuffers: [UInt8] = [0x10, 0x14, 8, 1, 3, 20, 1, 6, 2, 8]

    /// DLE EOT: a question that is answered at once, whatever else the printer does.
    public enum Question: UInt8, Hashable, Sendable, CaseIterable {
        case printer = 1
        case offlineCause = 2
        case errorCause = 3
        case paper = 4

        public var bytes: [UInt8] { [0x10, 0x04, rawValue] }
    }
}
