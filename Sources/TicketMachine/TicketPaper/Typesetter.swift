internal import CPango
internal import Synchronization

/// How a text is set.
struct TextStyle {
    /// Height of the letters in points of the page, 1/72 inch.
    var size: Double
    var bold = false
    var alignment = Alignment.leading
    /// Lines wrap at this width in points; nil: one line as long as it needs.
    var width: Double?
    /// Lines at most; an ellipsis ends the last one.
    var lines = 1
    /// Whether a word too long for the width may be broken; else it sticks out.
    var breaksWords = true

    enum Alignment { case leading, centre, trailing }
}

/// Owns pango's fonts, which libraries must not share between threads.
///
/// The font map is our own: pango's default one belongs to a thread, and each new thread would
/// look for its fonts again.
final class Typesetter {
    static let shared = Mutex(Typesetter())

    private let fonts: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer

    private init() {
        fonts = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fonts)
        // Pango takes 96 dots an inch for granted; in a PDF a point is a point.
        pango_cairo_context_set_resolution(context, 72)
        // Hinted widths differ from the printed ones: a PDF and a raster would wrap differently.
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(fonts))
    }

    /// Sets a text; markup in it is text.
    func text(_ text: String, _ style: TextStyle) -> LaidOutText {
        LaidOutText(text, style, in: context)
    }

    /// Sets a text that wraps so that its lines are about equally long; `width` is the most.
    func balanced(_ text: String, _ style: TextStyle) -> LaidOutText {
        let widest = self.text(text, style)
        guard let width = style.width, widest.lines > 1, !widest.isCut else { return widest }
        var best = widest
        var tooNarrow = width / Double(widest.lines + 1)
        var enough = width
        // Six halvings come within 2 % of the narrowest width.
        for _ in 0..<6 {
            var narrower = style
            let middle = (tooNarrow + enough) / 2
            narrower.width = middle
            narrower.breaksWords = false
            let candidate = self.text(text, narrower)
            if candidate.lines == widest.lines, !candidate.isCut, candidate.width <= middle {
                best = candidate
                enough = middle
            } else {
                tooNarrow = middle
            }
        }
        return best
    }
}

/// A text whose lines are broken and measured.
final class LaidOutText {
    private let layout: OpaquePointer
    /// The width its lines are aligned in; nil: that of the line.
    let box: Double?

    fileprivate init(_ text: String, _ style: TextStyle, in context: OpaquePointer) {
        layout = pango_layout_new(context)
        box = style.width
        let font = pango_font_description_new()
        pango_font_description_set_family(font, "Sans")
        pango_font_description_set_weight(
            font, style.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(font, style.size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        switch style.alignment {
        case .leading: pango_layout_set_alignment(layout, PANGO_ALIGN_LEFT)
        case .centre: pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
        case .trailing: pango_layout_set_alignment(layout, PANGO_ALIGN_RIGHT)
        }
        if let width = style.width {
            pango_layout_set_width(layout, Int32(width * Double(PANGO_SCALE)))
            pango_layout_set_wrap(
                layout, style.breaksWords ? PANGO_WRAP_WORD_CHAR : PANGO_WRAP_WORD)
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
            // A negative height counts lines (pango_layout_set_height).
            pango_layout_set_height(layout, -Int32(style.lines))
        } else {
            pango_layout_set_single_paragraph_mode(layout, 1)
        }
        // A hyphen that nobody wrote would become part of a name or a code.
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(layout))
    }

    /// Width and height of the lines in points.
    var width: Double { Double(logical.width) / Double(PANGO_SCALE) }
    var height: Double { Double(logical.height) / Double(PANGO_SCALE) }

    var lines: Int { Int(pango_layout_get_line_count(layout)) }
    /// Whether an ellipsis stands for a part of the text.
    var isCut: Bool { pango_layout_is_ellipsized(layout) != 0 }

    /// From the top to the first line's feet, in points.
    var baseline: Double { Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE) }

    /// What is black: its place from the top left, and its size, in points.
    var ink: (x: Double, y: Double, width: Double, height: Double) {
        var ink = PangoRectangle()
        pango_layout_get_extents(layout, &ink, nil)
        let scale = Double(PANGO_SCALE)
        return (
            Double(ink.x) / scale, Double(ink.y) / scale, Double(ink.width) / scale,
            Double(ink.height) / scale
        )
    }

    func draw(on cairo: OpaquePointer, x: Double, y: Double) {
        cairo_move_to(cairo, x, y)
        pango_cairo_show_layout(cairo, layout)
    }

    private var logical: PangoRectangle {
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return logical
    }
}
