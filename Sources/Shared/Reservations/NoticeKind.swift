/// What a notice on a customer's phone reports of a place (rules 36). The database contains the raw values.
public enum NoticeKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The number is called; `time` is the last moment to enter.
    case called
    /// The customer of a place that was taken elsewhere is asked whether they are coming (rules 37); `time` is until when
    /// the place is kept without an answer.
    case question
    /// The number will be called in about two minutes [R13.1]; no time.
    case soon
    /// The call comes more than a quarter of an hour later than the page showed; `time` is the new earliest time.
    case later
    /// The shop closes before the customer's turn: the place has ended; no time.
    case closed
    /// The place was given back, by its customer on any device or by the staff; no time.
    case givenBack = "given-back"
    /// The shop has changed its hours and could not keep the visit (rules 9); no time.
    case cancelled
    /// The call was missed; `time` is until when the place can be taken back, if it can be.
    case missed
    /// No answer came until the place's turn, and it was given to others (rules 37); no time.
    case unanswered
    /// The place is in the queue again: its customer took it back or undid that it was given back, the staff restored it, or
    /// the shop opened again; no time.
    case restored
}
