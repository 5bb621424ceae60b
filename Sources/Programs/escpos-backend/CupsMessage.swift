import ESCPOS
import Glibc

/// Lines on the standard error that cupsd reads (backend(7), "Messages").
enum CupsMessage {
    static func info(_ text: String) { write("INFO: \(text)") }
    static func error(_ text: String) { write("ERROR: \(text)") }
    static func paperIsOut() { write("PAGE: 1 1") }

    /// Sets or clears every known reason, so that none of a former job remains.
    static func report(_ status: ESCPOSStatus) {
        for reason in ESCPOSStatus.Reason.allCases {
            write("STATE: \(status.reasons.contains(reason) ? "+" : "-")\(reason.rawValue)")
        }
        info(status.isReady ? "The printer is ready." : "The printer is in trouble.")
    }

    static func usage() { write("Usage: escpos job user title copies options [file]") }

    static func connecting(_ isConnecting: Bool) {
        write("STATE: \(isConnecting ? "+" : "-")connecting-to-device")
    }

    private static func write(_ line: String) {
        // A line end inside the text would make two lines of it.
        let plain = line.map { $0.isNewline ? " " : $0 }
        let bytes = Array(String(plain).utf8) + [0x0A]
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
