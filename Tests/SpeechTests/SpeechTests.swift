import Foundation
import KioskRuntime
import Speech
import TestSupport
import Testing

@Suite("The voice", .serialized, .timeLimit(.minutes(10)))
struct SpeechTests {
    private static let espeak = "/usr/bin/espeak-ng"

    /// Seconds of sound in a WAV file: bytes of samples over bytes a second (RIFF WAVE, "fmt ").
    private func seconds(of file: String) throws -> Double {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        try #require(bytes.count > 44 && bytes.starts(with: Array("RIFF".utf8)))
        let rate = bytes[28..<32].reversed().reduce(0) { $0 << 8 | Int($1) }
        return Double(bytes.count - 44) / Double(rate)
    }

    /// The loudest sample of a WAV file of 16 bits.
    private func peak(of file: String) throws -> Int {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        return stride(from: 44, to: bytes.count - 1, by: 2)
            .map { abs(Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))) }
            .max() ?? 0
    }

    @Test(
        "espeak-ng itself speaks a sentence of each language, louder if that is wanted",
        arguments: [
            ("it", "La tua attesa è di circa 25 minuti."), ("en", "Your wait is about 25 minutes."),
            ("de", "Ihre Wartezeit beträgt etwa 25 Minuten."),
            ("fr", "Votre attente est d'environ 25 minutes."),
            ("es", "Su espera es de unos 25 minutos."),
        ])
    func languages(_ language: String, _ text: String) async throws {
        let folder = try TemporaryFolder()
        let (quiet, loud) = (folder.file("quiet.wav"), folder.file("loud.wav"))
        for (file, isLoud) in [(quiet, false), (loud, true)] {
            let voice = try writingVoice(folder, to: file)
            let end = await voice.say(
                text, language: language, isLoud: isLoud, volume: 5)
            #expect(end == .said)
        }
        #expect(try (1.0...8).contains(seconds(of: quiet)))
        #expect(try peak(of: loud) > peak(of: quiet))
    }

    @Test("An unknown language, and a program that is missing, are reported as failures")
    func failures() async throws {
        let folder = try TemporaryFolder()
        let unknown = try await writingVoice(folder, to: "/dev/null")
            .say("x", language: "xx-none", isLoud: false, volume: 5)
        let reason = try requireCase(SpeechEnd.failed, of: unknown)
        #expect(!reason.isEmpty)
        let missing = await EspeakVoice(program: "/nowhere/espeak-ng")
            .say("x", language: "it", isLoud: false, volume: 5)
        #expect(missing == .failed("/nowhere/espeak-ng: No such file or directory"))
    }

    /// A voice that writes its texts to a file and then speaks for an hour, in a child process of its own.
    private func slowVoice(_ folder: TemporaryFolder) throws -> EspeakVoice {
        let script = try folder.writeProgram(
            """
            #!/bin/sh
            printf '%s\\n' "$(cat)" >> \(folder.file("heard"))
            sleep 3600 &
            echo $! >> \(folder.file("children"))
            wait
            """, to: "fake-espeak-ng")
        return EspeakVoice(program: script)
    }

    /// A voice of espeak-ng itself that writes its sound to a file.
    private func writingVoice(_ folder: TemporaryFolder, to file: String) throws -> EspeakVoice {
        let script = "#!/bin/sh\nexec \(Self.espeak) \"$@\" -w \(file)"
        return EspeakVoice(program: try folder.writeProgram(script, to: "writing-espeak-ng"))
    }

    private func lines(_ file: String) -> [String] {
        (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n").map(
            String.init)
            ?? []
    }

    private func say(_ text: String, with voice: EspeakVoice) async -> SpeechEnd {
        await voice.say(text, language: "it", isLoud: false, volume: 5)
    }

    @Test("A new text ends the one being spoken, and a text that waited is never spoken")
    func interruption() async throws {
        let folder = try TemporaryFolder()
        let voice = try slowVoice(folder)
        let children = folder.file("children")
        async let first = say("first", with: voice)
        #expect(await eventually { lines(children).count == 1 })
        let many = await withTaskGroup(of: SpeechEnd.self) { group in
            for index in 0..<50 { group.addTask { await say("\(index)", with: voice) } }
            var ends = [await group.next()!]
            for _ in 1..<49 { ends.append(await group.next()!) }
            voice.stop()
            ends.append(await group.next()!)
            return ends
        }
        #expect(await first == .interrupted)
        #expect(many.allSatisfy { $0 == .interrupted })
        // One utterance ran at a time, and no process of any is left.
        #expect(
            await eventually {
                lines(children).compactMap { pid_t($0) }
                    .allSatisfy { !RunningProgram.isRunning($0) }
            })
        async let last = say("last", with: voice)
        #expect(
            await eventually { lines(folder.file("heard")).last == "last" })
        voice.stop()
        #expect(await last == .interrupted)
    }
}
