import CommandSyntax
import Reservations

extension Option {
    /// The database that the command works on: a file, or the address of a PostgreSQL database.
    static let database = Option.required("database", "FILE")
    static let shop = Option.required("shop", "SHOP", "the shop's identifier or tag")
}

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
