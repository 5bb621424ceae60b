public import Reservations

/// The texts of a paper, ready to be set. This type decides what the paper says; the printer's adapter decides on the
/// layout. Every text is plain: no control characters, no markup.
public struct ReceiptContent: Hashable, Sendable {
    /// The mark of a paper that was printed before, for example "COPY": framed, above everything on the paper.
    public var mark: String?
    /// The shop's name, in large letters at the top.
    public var shopName: String
    /// The kind of paper, for example "Ticket for Friday 20 November".
    public var kind: String
    /// The words over the number, for example "Your number".
    public var numberLabel: String
    /// The queue number as people read it, with at least three digits, as large as the paper allows.
    public var number: String
    /// When the customer can come in, large under the number, for example "Expected entry" - "14:25–14:40".
    public var entry: Fact?
    /// Lines of a label and a value, for example "Expected wait" - "25 minutes".
    public var facts: [Fact] = []
    /// The symbol of the entry code.
    public var qr: QRMatrix
    /// The typed code in its groups, under the symbol.
    public var typedCode = ""
    /// Instructions for the customer, one sentence each.
    public var instructions: [String] = []
    /// The symbol for phones, at the lower end; nil for a paper without one.
    public var symbolForPhones: SymbolForPhones?
    /// The symbol that puts a visit into a phone's calendar, below that; nil for a paper without one.
    public var symbolForCalendars: SymbolForPhones?
    /// Small at the foot: time of issue and machine.
    public var footer: String

    public struct Fact: Hashable, Sendable {
        public var label: String
        public var value: String

        public init(label: String, value: String) {
            self.label = label
            self.value = value
        }
    }

    /// The symbol that a customer's own phone reads, with its words.
    public struct SymbolForPhones: Hashable, Sendable {
        public var qr: QRMatrix
        /// For example "On your phone".
        public var heading: String
        /// What the symbol is for, and that another one is for the door.
        public var sentence: String

        public init(qr: QRMatrix, heading: String, sentence: String) {
            self.qr = qr
            self.heading = heading
            self.sentence = sentence
        }
    }
}

/// The roll of paper in a printer; the length of a page follows from its content.
public struct RollMedia: Hashable, Sendable {
    /// Width of the roll in hundredths of a millimetre, as PWG 5101.1 counts: 8000 or 5800.
    public var width: Int
    /// The margins that cannot be printed on, left and right, in hundredths of a millimetre.
    public var leftMargin: Int
    public var rightMargin: Int
    /// Dots per inch across the paper.
    public var resolution: Int
    /// The form in which the printer takes a page.
    public var form: Form

    /// The two forms of a page.
    public enum Form: Hashable, Sendable {
        case pdf
        /// The printer's own dots.
        case dots
    }

    public init(width: Int, leftMargin: Int, rightMargin: Int, resolution: Int, form: Form = .pdf) {
        self.width = width
        self.leftMargin = leftMargin
        self.rightMargin = rightMargin
        self.resolution = resolution
        self.form = form
    }

    /// 72 mm printed on an 80 mm roll at 203 dpi.
    public static let roll80 = RollMedia(
        width: 8_000, leftMargin: 400, rightMargin: 400, resolution: 203)
    /// 48 mm printed on a 58 mm roll at 203 dpi.
    public static let roll58 = RollMedia(
        width: 5_800, leftMargin: 500, rightMargin: 500, resolution: 203)
}

/// A page in the form that the printer takes.
public struct ReceiptPage: Hashable, Sendable {
    public var content: Content
    /// Width and length of the page in hundredths of a millimetre.
    public var width: Int
    public var length: Int

    public enum Content: Hashable, Sendable {
        /// A PDF of one page.
        case pdf([UInt8])
        case dots(ReceiptBitmap)
    }

    public init(_ content: Content, width: Int, length: Int) {
        self.content = content
        self.width = width
        self.length = length
    }
}

/// A page as dots, in shades of grey, row by row from the top left; 0 is black, 255 white.
public struct ReceiptBitmap: Hashable, Sendable {
    public var columns: Int
    public var rows: Int
    /// Dots per inch, across and along the paper.
    public var resolution: Int
    /// The shades of all dots: `columns` x `rows` values.
    public var shades: [UInt8]

    public init(columns: Int, rows: Int, resolution: Int, shades: [UInt8]) {
        self.columns = columns
        self.rows = rows
        self.resolution = resolution
        self.shades = shades
    }
}
