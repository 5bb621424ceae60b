import CommandSyntax
import FoundationEssentials
import Glibc
import TerminalSurface

enum Assets {
    /// The configured directory; otherwise `../share/clup` from the folder of the program (hier(7)); otherwise, for
    /// a program in its build folder, the Assets of its package.
    static func directory(configured: String?) throws -> String {
        if let configured {
            guard isDirectory("\(configured)/Locale") else {
                throw CommandError.configuration(
                    "\(configured) has no directory Locale: name the program's assets "
                        + "with --assets.")
            }
            return configured
        }
        let program = ThisProgram.path
        var parts = program.split(separator: "/").dropLast()
        let installed = "/" + (parts.dropLast() + ["share", "clup"]).joined(separator: "/")
        if isDirectory("\(installed)/Locale") { return installed }
        while !parts.isEmpty {
            let directory = "/" + (parts + ["Assets"]).joined(separator: "/")
            if isDirectory("\(directory)/Locale") { return directory }
            parts = parts.dropLast()
        }
        throw CommandError.configuration(
            "The program's assets are not beside \(program): "
                + "name their directory with --assets.")
    }

    /// The machine's own font, as `Kiosk/make-font` made it.
    static func font(in assets: String) throws(CommandError) -> Typeface {
        let path = "\(assets)/Font/pieces"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .configuration("\(path) cannot be read: make it with Kiosk/make-font.")
        }
        do {
            return Typeface(try PieceFont([UInt8](data)))
        } catch {
            throw .configuration("\(path) is damaged: make it again with Kiosk/make-font.")
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
