import Foundation

/// How long the tests of faults run: `Kiosk/check`, or `Kiosk/check --long`.
public enum TestLength {
    public static let isLong = ProcessInfo.processInfo.environment["CLUP_LONG"] == "1"

    public static func choose<Value>(_ short: Value, long: Value) -> Value {
        isLong ? long : short
    }
}
