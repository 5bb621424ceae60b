import CommandSyntax

extension Option {
    /// The database that the command works on: a file, or the address of a PostgreSQL database.
    static let database = Option.required("database", "FILE")
    static let shop = Option.required("shop", "SHOP", "the shop's identifier or tag")
}
