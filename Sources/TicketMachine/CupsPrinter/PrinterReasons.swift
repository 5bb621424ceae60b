internal import KioskFlow

/// The meaning of `printer-state-reasons` keywords for a paper (RFC 8011 5.4.12).
///
/// Known keywords count whatever their severity, because on the way through CUPS an error becomes a warning or a
/// report.
struct PrinterReasons {
    /// The most important trouble that keeps a paper from coming out.
    let trouble: PrinterTrouble?
    let paperLow: Bool

    init(_ keywords: [String]) {
        let meanings = keywords.map(Self.meaning)
        // The order is that in which a person notices them: an open cover often reports missing paper too.
        trouble = [.coverOpen, .jam, .noPaper, .offline, .stopped, .other]
            .first { meanings.contains(.trouble($0)) }
        paperLow = meanings.contains(.low)
    }

    private enum Meaning: Equatable {
        case nothing, low
        case trouble(PrinterTrouble)
    }

    private static let known: [String: Meaning] = [
        "none": .nothing, "media-empty": .trouble(.noPaper), "media-needed": .trouble(.noPaper),
        "media-jam": .trouble(.jam),
        // The paper is stuck in the cutter.
        "separation-cutter-jam": .trouble(.jam), "cover-open": .trouble(.coverOpen),
        "door-open": .trouble(.coverOpen), "interlock-open": .trouble(.coverOpen),
        "offline": .trouble(.offline), "shutdown": .trouble(.offline),
        "timed-out": .trouble(.offline), "paused": .trouble(.stopped),
        "moving-to-paused": .trouble(.stopped), "deactivated": .trouble(.stopped),
        "hold-new-jobs": .trouble(.stopped), "media-low": .low,
        // These states on the way to a print have no severity.
        "connecting-to-device": .nothing, "identify-printer-requested": .nothing,
        "stopping": .nothing,
    ]

    private static func meaning(of keyword: String) -> Meaning {
        var name = Substring(keyword)
        var stops = true
        for (suffix, severe) in [("-error", true), ("-warning", false), ("-report", false)]
        where name.hasSuffix(suffix) {
            name = name.dropLast(suffix.utf8.count)
            stops = severe
        }
        if let meaning = known[String(name)] { return meaning }
        // Ignored: toner and similar supplies, which no receipt printer has, and CUPS's notes about itself.
        if name.hasPrefix("marker-") { return .nothing }
        if name.hasPrefix("cups-") && !keyword.hasSuffix("-error") { return .nothing }
        // A keyword without a severity counts as an error (RFC 8011 5.4.12).
        return stops ? .trouble(.other) : .nothing
    }
}
