import TestSupport
import Testing

@Suite("A computer with the packages, in an emulator", .enabled(if: TestLength.isLong))
struct BootTests {
    @Test("From power-on to Home; no key leaves the kiosk; a touch gives a ticket and its receipt")
    func boot() async throws {
        _ = try await Packages.built.value
        let result = try await Tool.run(
            Tool.repository.appending(path: "Tests/boot-machine").path, [])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
}
