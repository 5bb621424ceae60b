/// Tells a printer's answers from one another, byte by byte: their fixed bits differ.
struct AnswerReader {
    enum Answer: Hashable {
        /// To DLE EOT.
        case status(UInt8)
        /// To GS r 1.
        case done
        /// To DLE DC4 8.
        case cleared
    }

    /// Bytes of an automatic status that are still to come.
    private var unasked = 0
    /// What came of a block of bytes that ends with a zero.
    private var block: [UInt8]?

    mutating func read(_ byte: UInt8) -> Answer? {
        if let begun = block {
            guard byte == 0 || begun.count >= 80 else {
                block = begun + [byte]
                return nil
            }
            block = nil
            return begun == [0x37, 0x25] ? .cleared : nil
        }
        if unasked > 0 {
            unasked -= 1
            return nil
        }
        // Heads of blocks; 0x13 is also XOFF, 0x11 XON.
        if [0x37, 0x53, 0x5F].contains(byte) {
            block = [byte]
            return nil
        }
        switch byte & 0x93 {
        case 0x12: return .status(byte)
        case 0x10:
            unasked = 3
            return nil
        case let bits where bits & 0x90 == 0: return .done
        default: return nil
        }
    }
}
