import Foundation
import TestSupport
import Testing

/// Screens as xterm shows them in the machine's own font, pixel by pixel.
@Suite("Kept pictures", .timeLimit(.minutes(10)))
struct KeptPicturesTests {
    private static let folder = "\(Languages.root)/Tests/KioskScreensTests/KeptPictures"

    /// Photographs the files of a folder, and returns what is said of pictures that are not as kept.
    private func differences(in folder: TemporaryFolder) async throws -> (Int32, String) {
        let result = try await Tool.run(
            "\(Languages.root)/Tests/photograph", [folder.path, "--compare"])
        return (result.status, result.errors + result.output)
    }

    @Test(
        "Screens look as in the kept pictures; if that is intended, draw them again: Tests/draw-pictures --keep"
    )
    func same() async throws {
        let folder = try TemporaryFolder()
        for sheet in Pictures.keptSheets {
            try Pictures.write(
                sheet, only: ["home", "home-invitation", "offer", "issued-printed", "scanning"],
                to: folder.path)
        }
        let (status, said) = try await differences(in: folder)
        #expect(status == 0 && said.isEmpty, "\(said)")
        let drawn = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(drawn.count { $0.hasSuffix(".png") } == 20)
        for sheet in Pictures.keptSheets {
            let home = try await Picture.ofFile(folder.file("\(sheet)/home-invitation.png"))
            #expect(try await Picture.qrCodes(in: home) == [Samples.link], "\(sheet)")
        }
    }

    @Test("A number that is not the kept one is found")
    func other() async throws {
        let folder = try TemporaryFolder()
        let sheet = Pictures.keptSheets[0]
        try Pictures.write(sheet, only: ["home", "home-calling-1"], to: folder.path)
        let files = FileManager.default
        try files.removeItem(atPath: folder.file("\(sheet)/home.ansi"))
        try files.moveItem(
            atPath: folder.file("\(sheet)/home-calling-1.ansi"),
            toPath: folder.file("\(sheet)/home.ansi"))
        let (status, said) = try await differences(in: folder)
        #expect(status == 1 && said.hasPrefix("\(sheet)/home: "), "\(said)")
    }

    @Test("Every screen is kept at every panel, in at most 4.5 MB")
    func complete() throws {
        var bytes = 0
        for sheet in Pictures.keptSheets {
            let files = try FileManager.default.contentsOfDirectory(
                atPath: "\(Self.folder)/\(sheet)")
            #expect(Set(files) == Set(Pictures.keptSamples.map { "\($0).webp" }))
            for file in files {
                let path = "\(Self.folder)/\(sheet)/\(file)"
                bytes += try Data(contentsOf: URL(filePath: path)).count
            }
        }
        #expect((1...4_500_000).contains(bytes))
    }
}
