import Glibc
import TestSupport

/// The printer of the demonstration, for one measurement.
final class BenchPrinter {
    private let printer: DemoPrinter
    private let folder: TemporaryFolder

    /// The options of a kiosk that prints on it.
    var arguments: [String] { ["--printer", printer.queue, "--cups", printer.server] }
    /// The address of the printer itself.
    var address: String { printer.description.printer }
    /// The files of the script, which include questions for ipptool(1).
    static var files: String { "\(DemoPrinter.script).d" }

    /// Nil if no printer is wanted, or if its programs are missing.
    init?(_ workspace: Workspace) throws {
        guard workspace.options.text("printer") != "no" else { return nil }
        let folder = try TemporaryFolder()
        self.folder = folder
        Guardian.begins(.printer, "\(DemoPrinter.script)\t\(folder.path)")
        do {
            printer = try waitFor { try await DemoPrinter(in: folder) }
        } catch {
            Progress.say("no printer, since Kiosk/demo-printer did not start")
            return nil
        }
        workspace.atEnd { self.end() }
    }

    /// Sets the fault and waits until the printer shows it.
    func show(_ mode: DemoPrinter.Mode) throws {
        let printer = printer
        try waitFor { try await printer.set(mode) }
    }

    /// Sets the fault and returns the time of that.
    func begin(_ mode: DemoPrinter.Mode) throws -> Int64 {
        try printer.begin(mode)
        return Clock.monotonic
    }

    private func end() {
        let printer = printer
        _ = try? waitFor { try await printer.end() }
        Guardian.ended(.printer, "\(DemoPrinter.script)\t\(folder.path)")
    }
}
