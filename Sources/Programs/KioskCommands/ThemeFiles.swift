import CommandSyntax
import Glibc
import KioskScreens

/// The shop's own colours: `Theme/normal.theme` and `Theme/inverted.theme` of the assets; either file may be
/// missing.
enum ThemeFiles {
    static func load(assets: String) throws -> Themes {
        let folder = "\(assets)/Theme"
        var themes = Themes.standard
        for file in try names(in: folder) {
            let path = "\(folder)/\(file)"
            switch file {
            case "normal.theme": themes.normal = try theme(path)
            case "inverted.theme": themes.inverted = try theme(path)
            default:
                throw CommandError.configuration(
                    "\(path): a machine has the themes normal.theme and "
                        + "inverted.theme and no other.")
            }
        }
        return themes
    }

    private static func theme(_ path: String) throws -> Theme {
        let lines = try KeyValueFile(path, kind: "theme").values
        do {
            return try Theme(values: lines.map { ($0.name, $0.value) })
        } catch {
            throw CommandError.configuration("\(path): \(error)")
        }
    }

    /// Files that end in `.theme`, in order; none if there is no such folder.
    private static func names(in folder: String) throws(CommandError) -> [String] {
        guard let names = Folder.names(in: folder) else {
            if errno == ENOENT { return [] }
            throw .system(errno) { "\(folder) cannot be read: \($0)." }
        }
        return names.filter { $0.hasSuffix(".theme") }
    }
}
