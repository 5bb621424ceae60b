/// From when on a part needs somebody's hand, in maintenance mode and for `doctor` alike.
public enum HealthThresholds {
    /// Percent of the disk that must be free: a journal, a log and an update need less.
    public static let diskFree = 10
    /// Seconds a clock may be off: one that keeps itself right is far within, signatures are refused from 60 on.
    public static let clockOffset = 5
}
