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

    static func run(_ workspace: Workspace, _ report: Report) throws {
        Progress.say("security ...")
        try requests(report)
        try pin(report)
        try share(workspace, report)
    }

    private static let request = WireRequest(
        method: HTTPMethod.post.rawValue, authority: "127.0.0.1:8480", path: Route.holds.path,
        fields: [HeaderField.idempotencyKey: "0123456789abcdef0123"], body: body)

    /// One request signed by the machine and verified by the backend, digest and parsing included.
    private static func requests(_ report: Report) throws {
        let key = try SigningKey.generate()
        let signer = RequestSigner(key: key)
        let now = Clock.real / 1_000_000_000
        let both = try BenchSamples.of(2_000) {
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
        let bare = try BenchSamples.of(2_000) {
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
        let check = try BenchSamples.of(20) { _ = try hash.digest("12345678") }
        let floor = try BenchSamples.of(20) {
            guard clup_floor_argon2id(UInt64(least.passes), UInt(least.memory) * 1_024) == 0 else {
                throw BenchError("Argon2id has no memory")
            }
        }
        report.time(
            "security.pin-check", 50, of: check, floor: ("2 passes over 19 MiB", floor))
    }

    /// The CPU time of verification, of the nonce's row and of the answer's signature, as a share of a ticket at the
    /// backend.
    private static func share(_ workspace: Workspace, _ report: Report) throws {
        let shop = try BenchShop(workspace, name: "security")
        let keys = try shop.addMachines(machines)
        let result = try LoadGenerator.run(
            shop, keys, name: "load",
            seconds: min(5, try workspace.options.number("seconds", standard: 10)))
        let answer = WireResponse(
            status: 201, fields: [HeaderField.contentType: "application/json"],
            body: Array(repeating: 0x61, count: result.confirmationBytes))
        let call = try signing(answer) + nonces(in: workspace, like: shop.database)
        report.figure(
            "security.share", callsOfATicket * call / (result.backendCPUEach * 1e6) * 100, "%",
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
        return try Clock.work(of: 2_000) {
            _ = try SignatureVerifier.verify(signed, now: now) { _ in key.publicKey }.get()
            _ = answers.sign(answer, to: signed, created: now)
        }
    }

    /// CPU nanoseconds of one nonce's row; its commit is counted with the ticket.
    private static func nonces(in workspace: Workspace, like database: String) throws -> Double {
        let connection = try Connection(path: "\(workspace.directory)/nonces.sqlite")
        try connection.copySchema(of: database, where: "tbl_name = 'nonce'")
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
                    try insert.run([
                        .text("0123456789abcdef"), .text("0123456789abcdef0123456789abcdef"),
                        .text(RequestSigner.makeNonce()), .integer(expires),
                    ])
                }
                used += Clock.thread - begin
            }
        }
        return Double(used) / Double(batches * size)
    }
}
