import CursesTerminal
import FoundationEssentials
import Glibc
import KioskScreens
import TerminalSurface

extension Doctor {
    /// The script with which the package's session starts the terminal of the machine; the variable is for machines
    /// that are not installed.
    private static var session: String {
        getenv("CLUP_KIOSK_SESSION").map { String(cString: $0) } ?? "/usr/lib/clup/kiosk-session"
    }

    /// The terminal that customers see: this command's own, unless the session starts another one.
    @MainActor static func terminal() -> Finding {
        if access(session, X_OK) == 0, getenv("CLUP_SESSION") == nil {
            return .good("the session brings its own; the one of this command is not looked at.")
        }
        do {
            let (size, reportsTouch) = try CursesTerminal.inspect()
            guard size.holds(Screens.smallest) else {
                return .wrong(
                    "\(size.columns) x \(size.rows) is too small: the machine needs "
                        + "\(Screens.smallest.columns) x \(Screens.smallest.rows).")
            }
            return reportsTouch
                ? .good("\(size.columns) x \(size.rows)")
                : .weak(
                    "\(size.columns) x \(size.rows), but a terminal of this type reports no touch: "
                        + "only the keys work. Use one like xterm-256color.")
        } catch { return .weak("\(error)") }
    }

    /// The size that the running session chose; EN 301 549 5.1.4 requires 5 mm for a reader at 40 cm.
    static func letters() -> Finding {
        guard let values = try? KeyValueFile(PanelCommand.kept, kind: "panel") else {
            return .good("no session has chosen any: the terminal's own")
        }
        guard let text = values["capital-height"], let height = Double(text),
            let distance = values["reading-distance"]
        else {
            return .weak(
                "the screen does not report its millimetres: measure a capital letter; 5 to 7 mm are wanted."
            )
        }
        let found = "capitals \(text) mm high, for readers up to \(distance) mm away"
        return height >= 5
            ? .good(found) : .weak("\(found); 5 to 7 mm are wanted: only a larger screen has room.")
    }

    /// The folders of the X server's settings, among them the package's own file (xorg.conf.d(5)).
    private static let xorgFolders = ["/etc/X11/xorg.conf.d", "/usr/share/X11/xorg.conf.d"]
    private static let xorgFile = "/usr/share/X11/xorg.conf.d/90-clup.conf"

    /// Whether no other settings undo the restrictions of the package; nil if those are not installed.
    static func exits() -> Finding? {
        guard access(xorgFile, R_OK) == 0 else { return nil }
        let files =
            ["/etc/X11/xorg.conf"]
            + xorgFolders.flatMap { folder in
                ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
                    .filter { $0.hasSuffix(".conf") }.map { "\(folder)/\($0)" }
            }
        let foreign = files.first { file in
            guard file != xorgFile, let bytes = FileManager.default.contents(atPath: file) else {
                return false
            }
            return XorgSettings.opensExits(String(decoding: bytes, as: UTF8.self))
        }
        return foreign.map {
            .weak(
                "\($0) has server flags of its own, so that keys may leave the screen: take it away."
            )
        } ?? .good("no way out of the screen but the package's own settings")
    }
}
