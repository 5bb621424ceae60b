import BackendAPI
import CBenchFloors
import Cryptography
import Glibc
import SQLite

/// The cost of security: signatures, replay checks and the hash of a PIN.
enum SecurityBench {
    /// OWASP's minimum for Argon2id: passes, and memory in KiB.
    private static let least = (passes: 2, memory: 19 * 1_024)
    /// Requests of a ticket: the hold and its confirmation.
    private static let callsOfATicket = 2.0
    private static let machines = 8
    private static let body = Array(#"{"kind":"ticket"}"#.utf8)

    static func run(_ options: Options, _ report: Report) throws {
        Progress.say("security ...")
        try requests(report)
        try pin(report)
        try share(options, report)
    }

    private static let request = WireRequest(
        method: HTTPMethod.post.rawValue, authority: "127.0.0.1:8480", path: Route.holds.path,
        fields: [HeaderField.idempotencyKey: "0123456789abcdef0123"], body: body)

    /// One request signed by the machine and verified by the backend, digest and parsing included.
    private static func requests(_ report: Report) throws {
        let key = try SigningKey.generate()
        let signer = RequestSigner(key: key)
        let now = Clock.real / 1_000_000_000
        var both = try BenchSamples.of(2_000) {
            let signed = signer.sign(request, created: now, nonce: RequestSigner.makeNonce())
            _ = try SignatureVerifier.verify(signed, now: now) { _ in key.publicKey }.get()
        }
        report.figure(
            "security.sign-verify", both.milliseconds(50), "ms",
            floor: Floor("libsodium's sign and verify alone", try bareSignVerify()),
            budget: .atMost(0.25), n: both.count)
    }

    /// Milliseconds of libsodium's own functions for a signature and its verification.
    static func bareSignVerify() throws -> Double {
        // As long as the signature base of a request.
        let base = [UInt8](repeating: 0x61, count: 420)
        var bare = try BenchSamples.of(2_000) {
            guard clup_floor_sign_verify(base, UInt64(base.count)) == 0 else {
                throw BenchError("libsodium does not verify what it signed")
            }
        }
        return bare.milliseconds(50)
    }

    /// Argon2id with the parameters that are used to check a PIN, one check at a time.
    private static func pin(_ report: Report) throws {
        let hash = PasswordHash.make()
        report.figure(
            "security.pin-passes", Double(hash.passes), "passes",
            budget: .atLeast(Double(least.passes)))
        report.figure(
            "security.pin-memory", Double(hash.memory) / 1_024, "MiB",
            budget: .atLeast(Double(least.memory) / 1_024))
        var check = try BenchSamples.of(20) { _ = try hash.digest("12345678") }
        var floor = try BenchSamples.of(20) {
            guard clup_floor_argon2id(UInt64(least.passes), UInt(least.memory) * 1_024) == 0 else {
                throw BenchError("Argon2id has no memory")
            }
        }
        report.figure(
            "security.pin-check", check.milliseconds(50), "ms",
            floor: Floor("2 passes over 19 MiB", floor.milliseconds(50)), n: check.count)
    }

    /// The CPU time of verification, of the nonce's row and of the answer's signature, as a share of a ticket at the
    /// backend.
    private static func share(_ options: Options, _ report: Report) throws {
        let workspace = try Workspace(options)
        defer { workspace.remove() }
        let shop = try BenchShop(workspace, name: "security")
        defer { shop.end() }
        let keys = try shop.addMachines(machines)
        let connections = try keys.enumerated().map {
            try MachineConnection(shop, name: "load-\($0)", key: $1)
        }
        let load = LoadGenerator(machines: connections, backend: shop.process)
        var acknowledged: [TicketNumber] = []
        let result = try load.run(
            seconds: min(5, try options.number("seconds", standard: 10)),
            acknowledged: &acknowledged)
        let ticket = Double(result.backendCPU) / Double(max(1, result.tickets))
        let answer = WireResponse(
            status: 201, fields: [HeaderField.contentType: "application/json"],
            body: Array(repeating: 0x61, count: connections[0].confirmationBytes))
        let call = try signing(answer) + nonces(in: workspace, like: shop.database)
        report.figure(
            "security.share", callsOfATicket * call / ticket * 100, "%",
            floor: Floor("a ticket's CPU at the backend, all of it", 100), budget: .atMost(30),
            n: result.tickets)
    }

    /// CPU nanoseconds to verify one request and to sign its answer.
    private static func signing(_ answer: WireResponse) throws -> Double {
        let key = try SigningKey.generate()
        let answers = AnswerSigner(key: try SigningKey.generate())
        let now = Clock.real / 1_000_000_000
        let signed = RequestSigner(key: key)
            .sign(request, created: now, nonce: RequestSigner.makeNonce())
        let count = 2_000
        let begin = Clock.thread
        for _ in 0..<count {
            _ = try SignatureVerifier.verify(signed, now: now) { _ in key.publicKey }.get()
            _ = answers.sign(answer, to: signed, created: now)
        }
        return Double(Clock.thread - begin) / Double(count)
    }

    /// CPU nanoseconds of one nonce's row; its commit is counted with the ticket.
    private static func nonces(in workspace: Workspace, like database: String) throws -> Double {
        let schema = try Connection(path: database, opening: .existing).rows(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name = 'nonce'"
        ) { $0.text(0) }
        let connection = try Connection(path: "\(workspace.directory)/nonces.sqlite")
        for statement in schema { try connection.execute(statement) }
        let insert = try connection.statement(
            """
            INSERT INTO nonce (shop_id, key_id, nonce, expires_ms) VALUES ($1, $2, $3, $4)
            ON CONFLICT (shop_id, key_id, nonce) DO NOTHING
            """)
        let expires = Clock.real / 1_000_000 + 61_000
        var used: Int64 = 0
        let batches = 100
        let size = 20
        for _ in 0..<batches {
            try connection.transaction {
                let begin = Clock.thread
                for _ in 0..<size {
                    try insert.bind(.text("0123456789abcdef"), at: 1)
                    try insert.bind(.text("0123456789abcdef0123456789abcdef"), at: 2)
                    try insert.bind(.text(RequestSigner.makeNonce()), at: 3)
                    try insert.bind(.integer(expires), at: 4)
                    while try insert.step() {}
                    insert.reset()
                }
                used += Clock.thread - begin
            }
        }
        return Double(used) / Double(batches * size)
    }
}
