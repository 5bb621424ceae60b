import CommandSyntax
import Reservations

extension Arguments {
    /// A name for people to read, without blanks around it: 1 to 80 characters.
    static func givenName(_ text: String) throws -> String {
        let name = GivenName.trimmed(text)
        guard GivenName.isGood(name, maxCharacters: 80) else {
            throw CommandError.usage("--name must be 1 to 80 characters; a name \(GivenName.rule)")
        }
        return name
    }
}
