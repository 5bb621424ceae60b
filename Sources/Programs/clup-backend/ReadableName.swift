extension Arguments {
    /// A name that people read: 1 to 80 characters, nothing that moves or hides what stands beside it.
    static func readable(_ name: String) throws(CommandError) -> String {
        guard (1...80).contains(name.count), name.allSatisfy(isReadable) else {
            throw .usage(
                "--name must be 1 to 80 characters, without control characters, marks of writing "
                    + "direction or piles of accents")
        }
        return name
    }

    private static func isReadable(_ character: Character) -> Bool {
        // A family of emoji has 7 to 11 scalars, a letter with its accents fewer.
        let scalars = character.unicodeScalars
        return scalars.count <= 12
            && scalars.allSatisfy {
                switch $0.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                // Joiners are part of emoji and of Indic words.
                case .format: $0.value == 0x200C || $0.value == 0x200D
                default: true
                }
            }
    }
}
