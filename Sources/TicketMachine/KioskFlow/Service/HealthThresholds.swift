/// The limits beyond which a part needs maintenance, for maintenance mode and `doctor` alike.
public enum HealthThresholds {
    /// Percent of the disk that must be free: a journal, a log and an update need less.
    public static let diskFree = 10
    /// Seconds that a clock may be off: a synchronized clock is far within, and signatures are refused from 60 s on.
    public static let clockOffset = 5
}
