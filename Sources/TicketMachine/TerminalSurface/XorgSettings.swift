/// Finds settings in a configuration file of the X server that let a customer leave the screen (xorg.conf(5)).
public enum XorgSettings {
    /// Names in the form in which the server compares them: without case, blanks and underscores.
    private static let exits = ["dontvtswitch", "dontzap"]

    /// Whether a file could reopen the exits that the package's own file closes. That can be another section of
    /// server flags, of which the server takes only one, or an option about these exits in any section.
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
