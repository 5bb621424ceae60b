internal import CCups
internal import KioskScreens

/// A page of dots in a format of driverless printers: PWG 5102.4 or the similar URF.
enum PWGRaster {
    enum Form: String, Sendable {
        case pwg = "image/pwg-raster"
        case urf = "image/urf"

        /// The format that a queue takes: if a printer takes both, CUPS passes on only URF.
        init(for formats: [String]) { self = formats.contains(Self.pwg.rawValue) ? .pwg : .urf }
    }

    static func bytes(
        of dots: ReceiptBitmap, on page: ReceiptPage, as form: Form = .pwg
    ) throws(IPPFault) -> [UInt8] {
        var header = cups_page_header2_t()
        let resolution = Int32(clamping: dots.resolution)
        guard
            let media = pwgMediaForSize(Int32(clamping: page.width), Int32(clamping: page.length)),
            cupsRasterInitPWGHeader(
                &header, media, "sgray_8", resolution, resolution, "one-sided", nil) != 0
        else { throw fault }
        header.cupsWidth = UInt32(clamping: dots.columns)
        header.cupsHeight = UInt32(clamping: dots.rows)
        header.cupsBytesPerLine = header.cupsWidth
        let sink = Sink()
        guard
            let raster = cupsRasterOpenIO(
                rasterWrite, Unmanaged.passUnretained(sink).toOpaque(),
                form == .pwg ? CUPS_RASTER_WRITE_PWG : CUPS_RASTER_WRITE_APPLE)
        else { throw fault }
        var isWhole = cupsRasterWriteHeader2(raster, &header) != 0
        var shades = dots.shades
        let count = UInt32(clamping: shades.count)
        isWhole = isWhole && cupsRasterWritePixels(raster, &shades, count) == count
        // Closing writes the remaining bytes.
        cupsRasterClose(raster)
        guard isWhole else { throw fault }
        return withExtendedLifetime(sink) { sink.bytes }
    }

    private static var fault: IPPFault { .refused(status: 0, message: IPPConnection.lastMessage) }

    fileprivate final class Sink { var bytes: [UInt8] = [] }
}

/// libcups calls this with the next bytes of a file (cups_raster_iocb_t).
private func rasterWrite(
    _ sink: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int
) -> Int {
    guard let sink else { return -1 }
    Unmanaged<PWGRaster.Sink>.fromOpaque(sink).takeUnretainedValue()
        .bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    return count
}
