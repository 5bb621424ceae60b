/// The machine's periods; the defaults are the product's, tests shorten none of them.
public enum KioskTiming {
    /// Without a touch for so long, a customer's state ends, at both steps of a visit too [UC11, UC12].
    public static let inactivityTimeout: Duration = .seconds(180)
    /// The warning counts down from here: 40 s, twice what WCAG 2.2.1 asks for.
    public static let warning: Duration = .seconds(140)
    /// A finished screen with a paper in the customer's hand.
    public static let finished: Duration = .seconds(20)
    /// A finished screen whose code must be photographed or copied.
    public static let shownOnly: Duration = .seconds(60)
    /// A customer's language, letters and voice are forgotten at Home after this.
    public static let preferencesTimeout: Duration = .seconds(60)
    /// Nobody has touched the machine for so long, who reads Home and is about to touch included: a new
    /// version of it may start.
    public static let renewal: Duration = .seconds(20)
    /// The machine asks for a lost answer this long in front of the customer (rules 12).
    public static let unresolved: Duration = .seconds(120)
    /// Nothing at all was heard of a paper: longer than asking for the media (1.4 s), handing the
    /// job over (4 s) and the silence of a job (5 s) take, so that the printer's own word comes first.
    public static let paper: Duration = .seconds(12)
    /// What was heard of the queue so long ago is not told as the present any more: two polls (rules
    /// 19) and a slow answer have come to nothing by then.
    public static let fresh: Duration = .seconds(12)
    /// Between two tries while unresolved.
    public static let retry: Duration = .seconds(2)
    /// Touches this soon after a screen has changed were meant for the one before (EN 301 549 5.9).
    ///
    /// GTK takes two clicks within 400 ms for a double click, Android two taps within 300 ms: with less,
    /// the second of two taps would choose on a screen that nobody has read.
    public static let doubleTap: Duration = .milliseconds(400)
    /// An open confirmation older than this is nobody's in front of the machine (rules 13).
    public static let maxResumeAge: Duration = .seconds(120)
    /// A hold is extended when the screen may outlast it but for this much (rules 2).
    public static let holdMargin: Duration = .seconds(20)
    /// Extensions come at least this far apart, and at most ten times (rules 2).
    public static let minExtensionInterval: Duration = .seconds(30)
    public static let extensions = 10
    /// Maintenance mode without a touch.
    public static let staff: Duration = .seconds(120)
    /// Nobody types a PIN.
    public static let staffEntrance: Duration = .seconds(60)
}
