import TestSupport
import Testing

@Suite("How the programs are linked")
struct LinkTests {
    @Test(
        "All symbols are bound at the start, their table is read-only, and the address is random",
        arguments: ["clup-kiosk", "clup-backend", "escpos-backend"])
    func hardened(program: String) async throws {
        let path = Tool.program(program)
        let found = try await Tool.succeed(
            "readelf", ["--wide", "--file-header", "--program-headers", "--dynamic", path])
        #expect(found.contains("GNU_RELRO"))
        #expect(found.contains("BIND_NOW") || found.contains(/FLAGS_1\).*NOW/))
        #expect(found.contains("DYN (Position-Independent Executable file)"))
    }
}
