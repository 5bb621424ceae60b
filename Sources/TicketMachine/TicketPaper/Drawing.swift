internal import CPango
internal import KioskScreens

/// Draws on surfaces of cairo and returns their bytes.
enum Drawing {
    /// The most bytes of a page; a page of ours has 30 KB.
    private static let maxPageBytes = 4 << 20

    /// A PDF of one page of this size in points.
    static func pdf(
        width: Double, height: Double, title: String, draw: (OpaquePointer) -> Void
    ) throws(ReceiptRendererError) -> [UInt8] {
        let sink = Sink()
        defer { withExtendedLifetime(sink) {} }
        let surface = cairo_pdf_surface_create_for_stream(
            sinkWrite, Unmanaged.passUnretained(sink).toOpaque(), width, height)
        defer { cairo_surface_destroy(surface) }
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "CLup ticket machine")
        try paint(surface, draw)
        cairo_surface_finish(surface)
        try check(cairo_surface_status(surface))
        return sink.bytes
    }

    /// Shades of grey with the given number of dots per inch; width and length in hundredths of a millimetre.
    static func dots(
        width: Int, length: Int, resolution: Int, draw: (OpaquePointer) -> Void
    ) throws(ReceiptRendererError) -> ReceiptBitmap {
        // The dots are rounded down, as libcups counts the dots of a page of PWG raster.
        let columns = width * resolution / 2_540
        let rows = length * resolution / 2_540
        let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(columns), Int32(rows))
        defer { cairo_surface_destroy(surface) }
        let scale = Double(resolution) / 72
        cairo_surface_set_device_scale(surface, scale, scale)
        try paint(surface, draw)
        cairo_surface_flush(surface)
        guard let ink = cairo_image_surface_get_data(surface) else {
            throw .drawingFailed("out of memory")
        }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let shades = [UInt8](unsafeUninitializedCapacity: columns * rows) { shades, count in
            for row in 0..<rows {
                for column in 0..<columns {
                    shades[row * columns + column] = 255 - ink[row * stride + column]
                }
            }
            count = columns * rows
        }
        return ReceiptBitmap(columns: columns, rows: rows, resolution: resolution, shades: shades)
    }

    private static func paint(
        _ surface: OpaquePointer?, _ draw: (OpaquePointer) -> Void
    ) throws(ReceiptRendererError) {
        guard let surface, let cairo = cairo_create(surface) else {
            throw .drawingFailed("out of memory")
        }
        defer { cairo_destroy(cairo) }
        draw(cairo)
        cairo_show_page(cairo)
        try check(cairo_status(cairo))
    }

    private static func check(_ status: cairo_status_t) throws(ReceiptRendererError) {
        guard status == CAIRO_STATUS_SUCCESS else {
            throw .drawingFailed(String(cString: cairo_status_to_string(status)))
        }
    }

    fileprivate final class Sink {
        var bytes: [UInt8] = []

        func take(_ more: UnsafeBufferPointer<UInt8>) -> cairo_status_t {
            guard bytes.count + more.count <= maxPageBytes else { return CAIRO_STATUS_WRITE_ERROR }
            bytes.append(contentsOf: more)
            return CAIRO_STATUS_SUCCESS
        }
    }
}

/// cairo calls this with the next bytes of a file (cairo_write_func_t).
private func sinkWrite(
    _ sink: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32
) -> cairo_status_t {
    guard let sink else { return CAIRO_STATUS_WRITE_ERROR }
    return Unmanaged<Drawing.Sink>.fromOpaque(sink).takeUnretainedValue()
        .take(UnsafeBufferPointer(start: bytes, count: Int(count)))
}
