internal import CQREncode
internal import Glibc
public import Reservations

/// The reason why no symbol can be made of a text.
public enum QRCodeError: Error, Hashable, CustomStringConvertible {
    /// The text is empty, or it contains a NUL, at which a C string would end.
    case textNotEncodable
    /// The text is longer than version 40 holds at level M (ISO/IEC 18004 table 7).
    case textTooLong(bytes: Int)
    /// libqrencode gave up with this errno.
    case libraryFailed(errno: Int32)

    public var description: String {
        switch self {
        case .textNotEncodable: "The text for the QR code is empty or contains a NUL."
        case .textTooLong(let bytes): "\(bytes) bytes are too many for a QR code."
        case .libraryFailed(let errno): "libqrencode failed (errno \(errno))."
        }
    }
}

/// Makes QR symbols with libqrencode.
public enum QRCode {
    /// Digits that version 40-M holds (ISO/IEC 18004 table 7), more than of any other kind of character.
    private static let maxDigits = 5_596

    /// The smallest symbol of level M for a text: a row-major square, without its quiet zone.
    ///
    /// Level M survives a fold or a thumb (15 %). Text of 0-9 A-Z $%*+-./: and space is encoded in alphanumeric mode,
    /// in which 37 characters fit in version 2, 25 modules wide.
    public static func matrix(of text: String) throws(QRCodeError) -> QRMatrix {
        try matrix(of: text, level: QR_ECLEVEL_M)
    }

    /// The symbol of a place's or an order's code, alone or in a link: of level M, or of level L (7 %) if it would be larger than
    /// version 3 with that. The address of a shop may have 15 characters with level M, and 31 with level L; the digits under
    /// the symbol are for one that is damaged.
    public static func matrix(ofCode text: String) throws(QRCodeError) -> QRMatrix {
        let symbol = try matrix(of: text)
        guard symbol.side > QRMatrix.maxCodeSide else { return symbol }
        let light = try matrix(of: text, level: QR_ECLEVEL_L)
        return light.side <= QRMatrix.maxCodeSide ? light : symbol
    }

    private static func matrix(
        of text: String, level: QRecLevel
    ) throws(QRCodeError) -> QRMatrix {
        let bytes = text.utf8.count
        guard bytes > 0, !text.utf8.contains(0) else { throw .textNotEncodable }
        guard bytes <= maxDigits else { throw .textTooLong(bytes: bytes) }
        // The hint is for text that is not alphanumeric; 1 keeps the case of letters.
        guard let code = QRcode_encodeString(text, 0, level, QR_MODE_8, 1) else {
            throw errno == ERANGE ? .textTooLong(bytes: bytes) : .libraryFailed(errno: errno)
        }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        guard let data = code.pointee.data,
            // Bit 0 of a module's byte is its colour, 1 for dark (qrencode.h).
            let matrix = QRMatrix(side: side, dark: (0..<side * side).map { data[$0] & 1 == 1 })
        else { throw .libraryFailed(errno: 0) }
        return matrix
    }
}
