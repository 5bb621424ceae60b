internal import CPango
internal import Synchronization

struct TextStyle {
    /// The size of the letters in points of the page, 1/72 inch.
    var size: Double
    var bold = false
    var alignment = Alignment.leading
    /// The width in points at which lines wrap; nil for one line as long as it needs to be.
    var width: Double?
    /// The most lines; an ellipsis ends the last one if the text is longer.
    var lines = 1
    /// Whether a word wider than the width may be broken; otherwise it extends beyond it.
    var breaksWords = true

    enum Alignment { case leading, centre, trailing }
}

/// Owns pango's fonts, which libraries must not share between threads.
///
/// The font map is our own: pango's default one belongs to a thread, and each new thread would search for its fonts
/// again.
final class Typesetter {
    static let shared = Mutex(Typesetter())

    private let fonts: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer

    private init() {
        fonts = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fonts)
        // Pango assumes 96 dots per inch; in a PDF a point is a point.
        pango_cairo_context_set_resolution(context, 72)
        // Letters stand where the face puts them, and not at whole points, which are three dots of a printer.
        pango_context_set_round_glyph_positions(context, 0)
        // With hinted widths, which differ from the printed ones, a PDF and a raster would wrap differently.
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

    /// Sets a text; markup in it is shown as text.
    func text(_ text: String, _ style: TextStyle) -> LaidOutText {
        LaidOutText(text, style, in: context)
    }

    /// Sets a text in lines of about equal length; `width` is their most.
    func balanced(_ text: String, _ style: TextStyle) -> LaidOutText {
        let widest = self.text(text, style)
        guard let width = style.width, widest.lines > 1, !widest.isCut else { return widest }
        var best = widest
        var tooNarrow = width / Double(widest.lines + 1)
        var enough = width
        // Six halvings reach the narrowest width within 2 %.
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

/// A text with broken and measured lines.
final class LaidOutText {
    private let layout: OpaquePointer
    /// The size in points from which letters have the display cut.
    private static let displaySize = 24.0
    /// The width in which the lines are aligned; nil for the width of the line itself.
    let box: Double?

    fileprivate init(_ text: String, _ style: TextStyle, in context: OpaquePointer) {
        layout = pango_layout_new(context)
        box = style.width
        let font = pango_font_description_new()
        // The face of the screens. What is large has its display cut, as there; without the face it is the system's own.
        pango_font_description_set_family(
            font, style.size < Self.displaySize ? "Inter, Sans" : "Inter Display, Inter, Sans")
        // Thin lines are pale on thermal paper.
        pango_font_description_set_weight(
            font, style.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_MEDIUM)
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
        // A hyphen that is not in the text would become part of a name or a code.
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        // Digits of equal width, so that codes and times align.
        pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum"))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// Width and height of the lines in points.
    var width: Double { Double(logical.width) / Double(PANGO_SCALE) }
    var height: Double { Double(logical.height) / Double(PANGO_SCALE) }

    var lines: Int { Int(pango_layout_get_line_count(layout)) }
    /// Whether an ellipsis replaces a part of the text.
    var isCut: Bool { pango_layout_is_ellipsized(layout) != 0 }

    /// From the top to the base line of the first line, in points.
    var baseline: Double { Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE) }

    /// The black area: its place from the top left, and its size, in points.
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
