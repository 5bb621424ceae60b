import FoundationEssentials
import Glibc

/// The private CUPS with a virtual receipt printer that Kiosk/demo-printer starts.
final class DemoPrinter {
    let queue: String
    let cups: String
    /// Where the printer itself answers.
    let printer: String
    /// The script's files, with questions for ipptool(1) among them.
    let files: String
    /// What tells a kiosk of it.
    var arguments: [String] { ["--printer", queue, "--cups", cups] }

    private let script: String
    private let directory: String

    private struct Ready: Decodable {
        let queue: String
        let cups: String
        let printer: String
    }

    /// Nil where there is no script, none is wanted, or its programs are missing.
    init?(_ workspace: Workspace, _ options: Options) throws {
        guard options.text("printer") != "no", let script = workspace.source("Kiosk/demo-printer")
        else { return nil }
        self.script = script
        files = "\(script).d"
        directory = "\(workspace.directory)/printer"
        Guardian.begins(printer: script, in: directory)
        do {
            let line = try ChildProcess.output(script, ["up", directory])
            let ready = try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
            queue = ready.queue
            cups = ready.cups
            printer = ready.printer
        } catch {
            Progress.say("no printer, since Kiosk/demo-printer did not start")
            return nil
        }
    }

    /// Sets the fault and waits until the printer shows it.
    func show(_ mode: String) throws {
        _ = try ChildProcess.output(script, ["mode", directory, mode])
    }

    /// Sets the fault and answers at once: as if somebody opened the cover.
    func happens(_ mode: String) throws -> Int64 {
        try Data("\(mode)\n".utf8).write(to: URL(filePath: "\(directory)/printer-mode"))
        return Clock.monotonic
    }

    func down() {
        _ = try? ChildProcess.output(script, ["down", directory])
        Guardian.ended(printer: script, in: directory)
    }
}
