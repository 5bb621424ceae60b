/// What a file of the X server's configuration says about ways out of the screen (xorg.conf(5)).
public enum XorgSettings {
    /// Names as the server compares them: without case, blanks and underscores.
    private static let exits = ["dontvtswitch", "dontzap"]

    /// Whether a file could open again what the package's own closes: a further section of server flags,
    /// of which the server takes one only, or an option about leaving in any section.
    public static func opensExits(_ text: String) -> Bool {
        text.split(separator: "\n").contains { line in
            let said = line.prefix { $0 != "#" }.lowercased().filter { !" \t_\"".contains($0) }
            return said == "sectionserverflags"
                || exits.contains {
                    said.hasPrefix("option\($0)") || said.hasPrefix("optionno\($0)")
                }
        }
    }
}
