import Foundation
import Glibc
import TestSupport
import Testing

/// The first steps of a person who has just got the sources.
@Suite("The first commands: build and try")
struct BuildTests {
    private static let top = Tool.repository

    /// A small package with the project's script: a C function that the linker warns of, and the part of Foundation
    /// that it also warns of.
    private func package(in folder: TemporaryFolder) async throws -> String {
        let place = folder.file("first")
        for path in ["Sources/CName/include", "Sources/tiny", "Assets/Locale", "Kiosk"] {
            try FileManager.default.createDirectory(
                atPath: "\(place)/\(path)", withIntermediateDirectories: true)
        }
        let files = [
            "Package.swift": """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "tiny",
                targets: [
                    .target(name: "CName"),
                    .executableTarget(name: "tiny", dependencies: ["CName"]),
                ])

            """,
            "Sources/CName/include/name.h": "const char *name(char *text);\n",
            "Sources/CName/name.c": """
            #include <stdio.h>
            #include "name.h"
            const char *name(char *text) { return tmpnam(text); }

            """,
            "Sources/tiny/main.swift": """
            import CName
            import FoundationEssentials
            if CommandLine.arguments.count > 9 {
                try Data([1]).write(to: URL(filePath: "/nowhere"), options: .atomic)
                print(String(cString: name(nil)))
            }

            """,
        ]
        for (path, text) in files {
            try Data(text.utf8).write(to: URL(filePath: "\(place)/\(path)"))
        }
        for path in [
            "Kiosk/build", "Kiosk/make-files", "Kiosk/compile-catalogues", "Kiosk/make-font",
            "Kiosk/make-page-font", "Kiosk/make-phone-page", "Assets/Locale/it.po",
            "Assets/Web/phone",
        ] {
            try FileManager.default.copyItem(
                atPath: Self.top.appending(path: path).path, toPath: "\(place)/\(path)")
        }
        return place
    }

    @Test("The build reports what is wrong with the sources, and what to do with a copied .build")
    func build() async throws {
        let folder = try TemporaryFolder()
        let place = try await package(in: folder)
        let first = try await Tool.run("\(place)/Kiosk/build", [])
        #expect(first.status == 0)
        let programs = first.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(FileManager.default.isExecutableFile(atPath: "\(programs)/tiny"))
        #expect(programs.hasPrefix(place) && !programs.contains("\n"))
        #expect(FileManager.default.fileExists(atPath: "\(place)/Assets/Locale/it.mo"))
        // The linker's warning about the package's own code stays, that about Swift's library does not.
        #expect(first.errors.contains("the use of `tmpnam' is dangerous"), "\(first.errors)")
        #expect(first.errors.split(separator: "\n").count == 1, "\(first.errors)")

        let copy = folder.file("second")
        try await Tool.succeed("cp", ["-a", place, copy])
        try await Tool.succeed("touch", ["\(copy)/Sources/tiny/main.swift"])
        let second = try await Tool.run("\(copy)/Kiosk/build", [])
        #expect(second.status == 1)
        #expect(second.errors.contains("rm -rf '\(copy)/.build'"), "\(second.errors)")
        try FileManager.default.removeItem(atPath: "\(copy)/.build")
        #expect(try await Tool.run("\(copy)/Kiosk/build", []).status == 0)

        try Data("let number: Int = \"\"\n".utf8)
            .write(to: URL(filePath: "\(copy)/Sources/tiny/main.swift"))
        let third = try await Tool.run("\(copy)/Kiosk/build", [])
        #expect(third.status == 1 && third.output.isEmpty)
        #expect(third.errors.contains("main.swift:1:19: error: "), "\(third.errors)")
        #expect(!third.errors.contains("rm -rf"))
    }

    @Test(
        "From programs alone try makes the catalogues, and with PostgreSQL it installs no package of the tests"
    )
    func withoutCatalogues() async throws {
        let folder = try TemporaryFolder()
        try await Tool.succeed(
            "cp",
            ["-r"] + ["Kiosk", "Assets"].map { Self.top.appending(path: $0).path }
                + [folder.path])
        for name in try FileManager.default.contentsOfDirectory(
            atPath: folder.file("Assets/Locale"))
        where name.hasSuffix(".mo") {
            try FileManager.default.removeItem(atPath: folder.file("Assets/Locale/\(name)"))
        }
        func words(programs: String) -> [String] {
            [
                "--programs", programs, "--services-only", "--database", "postgresql",
                "--directory", folder.file("product"),
            ]
        }
        let nothing = try await Tool.run(
            folder.file("Kiosk/try"), words(programs: folder.file("programs")))
        #expect(nothing.status == 1)
        #expect(nothing.errors.contains("there is no clup-backend in \(folder.file("programs"))"))

        // This folder lists the package from PyPI that the tests use.
        let requirements = "Tests/HostileTests/Schemathesis"
        try FileManager.default.createDirectory(
            atPath: folder.file(requirements), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Self.top.appending(path: "\(requirements)/requirements.txt").path,
            toPath: folder.file("\(requirements)/requirements.txt"))
        let product = try Tool.start(
            folder.file("Kiosk/try"), words(programs: Tool.programs), output: folder.file("line"),
            errors: folder.file("errors"))
        try await ending(product, by: { await $0.stop() }) { product in
            var line = Data()
            try await product.waits("Kiosk/try", log: folder.file("errors")) {
                line = FileManager.default.contents(atPath: folder.file("line")) ?? line
                return line.last == 0x0A
            }
            #expect(!FileManager.default.fileExists(atPath: folder.file(".build/schemathesis")))
            struct Services: Decodable { let kiosk: String }
            let services = try JSONDecoder().decode(Services.self, from: line)
            try await TmuxTerminal.with(columns: 80, rows: 24, command: services.kiosk) { screen in
                try await screen.shows(Words.home)
            }
        }
    }

    @Test(
        "try itself refuses a hold that is too short or too long, and its help names the range",
        arguments: ["100", "179", "3601", "99999999999999999999", "08x", ""])
    func holdSeconds(value: String) async throws {
        let script = Self.top.appending(path: "Kiosk/try").path
        let result = try await Tool.run(script, ["--services-only", "--hold-seconds", value])
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(
            result.errors
                == "try: --hold-seconds is a number from 180 to 3600, not \"\(value)\"\n")
        let help = try await Tool.succeed(script, ["--help"])
        #expect(help.contains("--hold-seconds N") && help.contains("180 to 3600"))
    }
}
