public import KioskScreens

/// The reason why no page can be made; customers cannot cause any of these.
public enum ReceiptRendererError: Error, Hashable, CustomStringConvertible {
    /// The queue's media is impossible: its width, margins (1/100 mm) or dots per inch.
    case mediaUnusable(RollMedia)
    /// The symbol and its quiet zone are wider than the paper at four dots a module.
    case symbolTooWide(modules: Int, dots: Int)
    /// cairo or pango failed with this message.
    case drawingFailed(String)

    public var description: String {
        switch self {
        case .mediaUnusable(let media):
            """
            The printer's queue reports a paper \(media.width) wide with margins \
            \(media.leftMargin) and \(media.rightMargin) (hundredths of a millimetre) at \
            \(media.resolution) dots an inch: no ticket fits it. Set the queue's paper size.
            """
        case .symbolTooWide(let modules, let dots):
            "A QR code of \(modules) modules does not fit a paper of \(dots) dots."
        case .drawingFailed(let message): "The paper could not be drawn: \(message)."
        }
    }
}

/// Makes pages of papers: `ReceiptContent` goes in, a page comes out.
///
/// The page is as wide as the roll and as long as its content, in whole millimetres. It is black on white, with
/// nothing in the roll's margins. Calls from several threads wait for each other.
public enum TicketPaper {
    /// The page in the form that the media requires: a PDF whose texts and QR code are vectors, or dots.
    public static func page(
        _ content: ReceiptContent, on media: RollMedia
    ) throws(ReceiptRendererError) -> ReceiptPage {
        try Typesetter.shared.withLock { typesetter throws(ReceiptRendererError) in
            let paper = try ReceiptLayout(content, on: media, with: typesetter)
            guard media.form == .pdf else {
                let dots = try Drawing.dots(
                    width: media.width, length: paper.length, resolution: media.resolution,
                    draw: paper.draw)
                return ReceiptPage(.dots(dots), width: media.width, length: paper.length)
            }
            let pdf = try Drawing.pdf(
                width: paper.width, height: paper.height,
                title: ReceiptText.clean("\(content.shopName) \(content.number)", limit: 120),
                draw: paper.draw)
            return ReceiptPage(.pdf(pdf), width: media.width, length: paper.length)
        }
    }
}
