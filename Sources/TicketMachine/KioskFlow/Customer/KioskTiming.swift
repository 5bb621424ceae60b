/// The machine's periods; these are the product's values, and the tests use them too.
public enum KioskTiming {
    /// A customer's state ends after this time without a touch, at both steps of a visit too [UC11, UC12].
    public static let inactivityTimeout: Duration = .seconds(180)
    /// The warning begins after this time and counts down 40 s, twice what WCAG 2.2.1 asks for.
    public static let warning: Duration = .seconds(140)
    /// How long a finished screen stays if the customer has a receipt.
    public static let finished: Duration = .seconds(20)
    /// How long a finished screen stays if its code must be photographed or copied.
    public static let shownOnly: Duration = .seconds(60)
    /// A customer's language, text size and speech are reset at Home after this time.
    public static let preferencesTimeout: Duration = .seconds(60)
    /// A new version of the program may start after this time without a touch, so that it does not interrupt a customer
    /// who is still reading Home.
    public static let restartQuietTime: Duration = .seconds(20)
    /// How long the machine repeats a confirmation in front of the customer (rules: unanswered-confirmation).
    public static let unresolved: Duration = .seconds(120)
    /// The time after which a receipt without any progress counts as silent. It is longer than asking for the media
    /// (1.4 s), submitting the job (4 s) and the silence of a job (5 s) take, so that the printer's own report comes
    /// first.
    public static let paper: Duration = .seconds(12)
    /// A queue status of this age is no longer shown as the present one: two polls (rules: idle-cost) and a slow answer have
    /// failed by then.
    public static let maxQueueAge: Duration = .seconds(12)
    /// The pause between two attempts while a confirmation is unresolved.
    public static let retry: Duration = .seconds(2)
    /// Touches this soon after a change of screen were meant for the screen before (EN 301 549 5.9).
    ///
    /// GTK takes two clicks within 400 ms for a double click, Android two taps within 300 ms. With a shorter time, the
    /// second of two taps would choose something on a screen that the customer has not read.
    public static let doubleTap: Duration = .milliseconds(400)
    /// The customer of an open confirmation that is older than this has left the machine (rules: start-up).
    public static let maxResumeAge: Duration = .seconds(120)
    /// A hold is extended if it would expire less than this time after the screen (rules: holds).
    public static let holdMargin: Duration = .seconds(20)
    /// The least time between two extensions; there are at most ten (rules: holds).
    public static let minExtensionInterval: Duration = .seconds(30)
    public static let extensions = 10
    /// The question whether a staff member shall come goes away after this time without a touch (rules: help).
    public static let helpQuestion: Duration = .seconds(30)
    /// How long the screen of a call for help that was opened again stays, and the one for a closed shop.
    public static let helpNotice: Duration = .seconds(60)
    /// How long a call for help without an answer is repeated (rules: help-answers).
    public static let helpRetries: Duration = .seconds(120)
    /// The pauses between two polls of an open call, on its screen and as a band.
    public static let helpPoll: Duration = .seconds(1)
    public static let helpBandPoll: Duration = .seconds(3)
    /// A call that has been known for so long and is not listed has ended: a server may list it a little late.
    public static let helpUnlisted: Duration = .seconds(10)
    /// After so many mistaken calls within so long, the question says more (rules: help).
    public static let helpMistakes = 3
    public static let helpMistakesWithin: Duration = .minutes(10)
    /// Maintenance mode ends after this time without a touch.
    public static let staff: Duration = .seconds(120)
    /// The PIN entry ends after this time without a touch.
    public static let pinEntry: Duration = .seconds(60)
}
