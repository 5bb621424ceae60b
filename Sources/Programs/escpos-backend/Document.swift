import CCups
import ESCPOS
import Glibc

struct DocumentError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The job's document: pages of raster as libcups reads them, from a file or the standard input.
enum Document {
    /// More pages than any job of this product has.
    private static let maxPages = 50

    /// `dots`: how many dots the printer has across; a wider page is cut equally at both sides, as the margins of a
    /// roll are.
    static func pages(of path: String?, dots: Int, copies: Int) throws(DocumentError) -> [DotPage] {
        let file = path.map { open($0, O_RDONLY) } ?? STDIN_FILENO
        guard file >= 0 else {
            throw DocumentError(
                "The job's file cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { close(file) }
        guard let raster = cupsRasterOpen(file, CUPS_RASTER_READ) else {
            throw DocumentError("The job is no picture of a paper (PWG or CUPS raster).")
        }
        defer { cupsRasterClose(raster) }
        var pages: [DotPage] = []
        var header = cups_page_header2_t()
        while cupsRasterReadHeader2(raster, &header) != 0 {
            let page = try page(header, of: raster, dots: dots)
            for _ in 0..<max(copies, 1) {
                guard pages.count < maxPages else {
                    throw DocumentError("The job has more than \(maxPages) papers.")
                }
                pages.append(page)
            }
        }
        guard !pages.isEmpty else { throw DocumentError("The job has no page.") }
        return pages
    }

    private static func page(
        _ header: cups_page_header2_t, of raster: OpaquePointer, dots: Int
    ) throws(DocumentError) -> DotPage {
        let width = Int(header.cupsWidth)
        let rows = Int(header.cupsHeight)
        let length = Int(header.cupsBytesPerLine)
        let blackIsOne = header.cupsColorSpace == CUPS_CSPACE_K
        let isGrey =
            blackIsOne || header.cupsColorSpace == CUPS_CSPACE_W
            || header.cupsColorSpace == CUPS_CSPACE_SW
        let bits = Int(header.cupsBitsPerPixel)
        guard isGrey, bits == 1 || bits == 8, width > 0, length == (width * bits + 7) / 8,
            length <= 8 * DotPage.maxRowBytes, rows <= DotPage.maxRows
        else {
            throw DocumentError(
                "The paper's picture has \(width) x \(rows) dots of \(bits) bits in a form that "
                    + "no receipt printer takes.")
        }
        let left = max(0, (width - dots) / 2)
        let shown = min(width, dots)
        let bytesPerRow = (shown + 7) / 8
        var packed: [UInt8] = []
        packed.reserveCapacity(rows * bytesPerRow)
        var line = [UInt8](repeating: 0, count: length)
        for _ in 0..<rows {
            guard cupsRasterReadPixels(raster, &line, UInt32(length)) == length else {
                throw DocumentError("The paper's picture ends too early.")
            }
            var row = [UInt8](repeating: 0, count: bytesPerRow)
            for column in 0..<shown {
                let place = left + column
                let isLit =
                    bits == 8 ? line[place] >= 128 : line[place / 8] & (0x80 >> (place % 8)) != 0
                if isLit == blackIsOne { row[column / 8] |= 0x80 >> (column % 8) }
            }
            packed += row
        }
        guard let page = DotPage(bytesPerRow: bytesPerRow, bytes: packed) else {
            throw DocumentError("The paper's picture is larger than a receipt.")
        }
        return page
    }
}
