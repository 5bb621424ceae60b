internal import CCups
internal import KioskScreens

extension PrinterReport {
    init(_ answer: borrowing IPPMessage) {
        let state = answer.integer("printer-state")
        busy = state == Int(IPP_PSTATE_PROCESSING.rawValue)
        stopped = state == Int(IPP_PSTATE_STOPPED.rawValue)
        accepting = answer.boolean("printer-is-accepting-jobs") ?? true
        reasons = answer.strings("printer-state-reasons")
        formats = answer.strings("document-format-supported")
    }
}

extension JobReport {
    init(_ answer: borrowing IPPMessage) {
        state = State(ipp: answer.integer("job-state") ?? 0)
        impressions =
            answer.integer("job-impressions-completed")
            ?? answer.integer("job-media-sheets-completed") ?? 0
        message = answer.strings("job-printer-state-message").first ?? ""
        reasons = answer.strings("job-state-reasons")
    }
}

extension JobReport.State {
    /// A value of `job-state` (RFC 8011 5.3.7).
    init(ipp value: Int) {
        switch ipp_jstate_t(UInt32(truncatingIfNeeded: value)) {
        case IPP_JSTATE_COMPLETED: self = .completed
        case IPP_JSTATE_CANCELED, IPP_JSTATE_ABORTED: self = .cancelled
        case IPP_JSTATE_STOPPED: self = .stopped
        case IPP_JSTATE_PROCESSING: self = .processing
        default: self = .waiting
        }
    }
}

extension IPPMessage {
    /// Name and state of each job in an answer to Get-Jobs; none if a job lacks one of them.
    borrowing func jobStates() -> [(name: String, state: JobReport.State)] {
        let names = everyString("job-name")
        let states = everyInteger("job-state")
        guard names.count == states.count else { return [] }
        return zip(names, states).map { (name: $0, state: JobReport.State(ipp: $1)) }
    }
}

enum QueueMedia {
    static let attributes = [
        "media-col-ready", "media-col-default", "media-left-margin-supported",
        "media-right-margin-supported", "printer-resolution-default",
        "printer-resolution-supported", "media-default",
    ]

    /// The roll in the printer, otherwise the printer's default; nil if neither has one width.
    static func roll(of answer: borrowing IPPMessage) -> RollMedia? {
        let ready = answer.mediaCollection("media-col-ready")
        let usual = answer.mediaCollection("media-col-default")
        guard let media = ready ?? usual else { return named(answer) }
        return RollMedia(
            width: media.width,
            leftMargin: media.left ?? usual?.left ?? answer.integer("media-left-margin-supported")
                ?? 0,
            rightMargin: media.right ?? usual?.right
                ?? answer.integer("media-right-margin-supported") ?? 0,
            resolution: answer.dotsPerInch("printer-resolution-default")
                ?? answer.dotsPerInch("printer-resolution-supported")
                // Nearly every receipt printer has 8 dots per millimetre.
                ?? 203)
    }

    /// The roll by the name of its size, for example `custom_80x200mm_80x200mm` (PWG 5101.1): the administrator's
    /// choice for a printer that reports none.
    private static func named(_ answer: borrowing IPPMessage) -> RollMedia? {
        guard let name = answer.strings("media-default").first, name.hasSuffix("mm"),
            let size = name.split(separator: "_").last
        else { return nil }
        return switch size.prefix(while: { $0 != "x" }) {
        case "58": .roll58
        case "80": .roll80
        default: nil
        }
    }
}
