/// Distinguishes a printer's answers byte by byte, by their fixed bits.
struct AnswerReader {
    enum Answer: Hashable {
        /// The answer to DLE EOT.
        case status(UInt8)
        /// The answer to GS r 1.
        case done
        /// The answer to DLE DC4 8.
        case cleared
    }

    /// Bytes of an automatic status that have not arrived yet.
    private var unasked = 0
    /// The bytes so far of a block that ends with a zero.
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
        // These bytes begin a block; 0x13 is also XOFF, 0x11 XON.
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
