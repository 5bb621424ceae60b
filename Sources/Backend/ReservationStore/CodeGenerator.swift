internal import Reservations

/// Generates identifiers and codes from unpredictable bytes.
struct CodeGenerator: Sendable {
    let randomBytes: @Sendable (Int) -> [UInt8]

    /// So many random codes in a row are never all in use by chance: not even with 10^9 of 10^10 in use (10^-16).
    static let attempts = 16
    /// With eight digits and 1,000 codes open, a mistyped one is another machine's once in 100,000 times.
    private static let pairingDigits = 8

    func newID<Subject>(at now: Moment) -> Identifier<Subject> {
        Identifier(Self.id(at: now, randomBytes(10)))
    }

    /// An identifier that none generated at this moment or later precedes in the order of texts.
    static func firstID(at now: Moment) -> String {
        id(at: now, [UInt8](repeating: 0, count: 10))
    }

    private static func id(at now: Moment, _ rest: [UInt8]) -> String {
        Crockford.encode(now, rest).lowercased()
    }

    func symbolCode<Subject>(tag: ShopTag) -> SymbolCode<Subject> {
        SymbolCode(tag: tag, random: randomBytes(16))
    }

    /// A code that a machine shows to be paired.
    func pairingCode() -> String {
        // 64 bits over 10^8 codes: no code is likelier than another by more than 10^-11.
        randomDigits(Self.pairingDigits, below: 100_000_000)
    }

    private func randomDigits(_ count: Int, below limit: UInt64) -> String {
        Int(randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % limit).padded(count)
    }

    /// Ten digits that the shop never gave before; unless they are looked up first, the schema refuses a repetition.
    func typedCode(
        of shop: ShopID, askingFirst isAsking: Bool, in database: any Database
    ) throws(StoreError) -> TypedCode {
        try typedCode { code throws(StoreError) in
            isAsking ? try database.isTaken(code, in: shop) : false
        }
    }

    /// Ten digits that no order has that the shop remembers.
    func orderCode(of shop: ShopID, in database: any Database) throws(StoreError) -> TypedCode {
        try typedCode { code throws(StoreError) in try database.isTakenByOrder(code, in: shop) }
    }

    private func typedCode(
        unless isTaken: (TypedCode) throws(StoreError) -> Bool
    ) throws(StoreError) -> TypedCode {
        for _ in 0..<Self.attempts {
            // 64 bits over 10^10 codes: no code is likelier than another by more than 10^-9.
            let digits = randomDigits(TypedCode.length, below: 10_000_000_000)
            guard let code = TypedCode(rawValue: digits) else { continue }
            if try !isTaken(code) { return code }
        }
        throw StoreError(
            .constraint, operation: "draw a typed code", "no free typed code was found")
    }
}
