import Foundation
import Glibc
import TestSupport
import Testing

/// A TPM 2 in software (swtpm(8)): a stand-in for the chip, with real commands and real sealing.
private struct SoftwareTPM {
    let process: RunningProgram
    let device: String

    static func start(in folder: TemporaryFolder, _ name: String) async throws -> SoftwareTPM {
        let state = folder.file(name)
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        for _ in 0..<20 {
            // Its clients expect the second channel at the next port.
            let port = Int.random(in: 20_000..<30_000)
            let process = try Tool.start(
                "swtpm",
                [
                    "socket", "--tpm2", "--tpmstate", "dir=\(state)", "--server",
                    "type=tcp,port=\(port),bindaddr=127.0.0.1", "--ctrl",
                    "type=tcp,port=\(port + 1),bindaddr=127.0.0.1", "--flags",
                    "not-need-init,startup-clear",
                ], errors: folder.file("\(name).log"))
            let listens = await eventually {
                !process.isRunning || isListening(port)
            }
            if listens, process.isRunning {
                return SoftwareTPM(
                    process: process, device: "swtpm:host=127.0.0.1,port=\(port)")
            }
            await process.stop()
        }
        throw TestSupportError("swtpm did not start")
    }

    /// Whether a process listens on the port (proc(5), /proc/net/tcp).
    private static func isListening(_ port: Int) -> Bool {
        let end = ":" + String(port, radix: 16, uppercase: true) + " 00000000:0000 0A"
        return (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8))?.contains(end)
            == true
    }
}

@Suite("The wrapping key as a systemd credential, sealed to host and TPM")
struct CredentialTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func host(_ name: String) -> [String: String] {
        ["SYSTEMD_CREDENTIAL_SECRET": folder.file(name)]
    }

    /// Opens a credential into a directory of its own, as systemd does for a unit.
    private func open(
        _ credential: String, into name: String, host: [String: String], _ tpm: String?
    ) async throws -> CommandResult {
        let directory = folder.file(name)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let result = try await Tool.run(
            "systemd-creds",
            ["decrypt", "--name=machine-key"] + (tpm.map { ["--tpm2-device=\($0)"] } ?? [])
                + [credential, "\(directory)/machine-key"], environment: host)
        if result.status == 0 {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o400], ofItemAtPath: "\(directory)/machine-key")
        }
        return result
    }

    private func kiosk(_ command: [String], credentials name: String) async throws -> CommandResult
    {
        try await Tool.run(
            Programs.kiosk,
            command + [
                "--state", folder.file("state"), "--backend", "http://127.0.0.1:9", "--assets",
                Programs.assets,
            ], environment: ["CREDENTIALS_DIRECTORY": folder.file(name)])
    }

    private func keyCheck(_ name: String) async throws -> KeyTroubleTests.Report.Check {
        let output = try await kiosk(["doctor", "--json"], credentials: name).output
        let report = try JSONDecoder().decode(
            KeyTroubleTests.Report.self, from: Data(output.utf8))
        return try #require(report.checks.first { $0.part == "key" })
    }

    private static let sealKey = Tool.repository.appending(path: "Kiosk/seal-key").path

    @Test("A credential sealed to host and TPM opens for this machine only")
    func tpm() async throws {
        let own = try await SoftwareTPM.start(in: folder, "tpm")
        let other = try await SoftwareTPM.start(in: folder, "other-tpm")
        try await ending([own, other], by: { for tpm in $0 { await tpm.process.stop() } }) { _ in
            try await sealed(own, other)
        }
    }

    private func sealed(_ own: SoftwareTPM, _ other: SoftwareTPM) async throws {
        let credential = folder.file("machine-key.cred")
        let here = host("host.secret")
        let made = try await Tool.run(
            Self.sealKey, [credential, "host+tpm2", own.device], environment: here)
        try #require(made.status == 0, "\(made.errors)")
        try #require(try await open(credential, into: "first", host: here, own.device).status == 0)
        let enrolled = try await kiosk(["enrol"], credentials: "first")
        #expect(enrolled.status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("state/wrapping-key")))
        // The next start of the unit opens it again.
        #expect(try await open(credential, into: "second", host: here, own.device).status == 0)
        let good = try await keyCheck("second")
        #expect(good.state == "ok" && good.text.contains("sealed by the credential machine-key"))

        // The disk is in another computer: the chip differs, or the host's secret is missing.
        #expect(try await open(credential, into: "foreign", host: here, other.device).status != 0)
        let elsewhere = host("other.secret")
        try await Tool.succeed(
            Self.sealKey, [folder.file("other.cred"), "host"], environment: elsewhere)
        #expect(
            try await open(credential, into: "stolen", host: elsewhere, own.device).status != 0)
        // Nothing weaker replaces it, not even a wrapping key beside the machine's key.
        _ = try folder.write([UInt8](repeating: 7, count: 32), to: "state/wrapping-key")
        let missing = try await keyCheck("foreign")
        #expect(missing.state == "wrong" && missing.text.contains("The wrapping key"))
        // The credential of another machine is refused.
        #expect(
            try await open(folder.file("other.cred"), into: "swapped", host: elsewhere, nil).status
                == 0)
        let swapped = try await keyCheck("swapped")
        #expect(swapped.state == "wrong" && swapped.text.contains("wrapping key is another one"))
    }

    @Test("Without a TPM it says what stays unprotected, and never replaces a key")
    func hostOnly() async throws {
        let credential = folder.file("machine-key.cred")
        let here = host("host.secret")
        let made = try await Tool.run(Self.sealKey, [credential, "host"], environment: here)
        #expect(made.status == 0)
        #expect(made.errors.contains("who copies this computer's whole disk can open it elsewhere"))
        let again = try await Tool.run(Self.sealKey, [credential, "host"], environment: here)
        #expect(again.status == 1 && again.errors.contains("is there already"))
        #expect(try await open(credential, into: "here", host: here, nil).status == 0)
        let elsewhere = host("other.secret")
        try await Tool.succeed(
            Self.sealKey, [folder.file("other.cred"), "host"], environment: elsewhere)
        #expect(try await open(credential, into: "there", host: elsewhere, nil).status != 0)
    }
}
