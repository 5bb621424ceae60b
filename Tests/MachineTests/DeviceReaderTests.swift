import CEvdev
import Glibc
import Reservations
import TestSupport
import Testing

@testable import CodeReader

@Suite("A code reader with a device of its own", .timeLimit(.minutes(10)))
@MainActor
struct DeviceReaderTests {
    private static let code = "CLUP:1:CITT000G40R40M30E209185GR38E1W"

    /// What a reader has reported.
    @MainActor
    private final class Readings {
        var codes: [String] = []
        var isThere: [Bool] = []
        var log: [String] = []
    }

    /// A serial line under a name that stays when it is plugged in again, as /dev/serial/by-id.
    @MainActor
    private final class Line {
        let name: String
        private var master: Int32 = -1

        init(name: String) throws {
            self.name = name
            try plug()
        }

        func plug() throws {
            let device = try PseudoTerminalDevice()
            master = device.master
            unlink(name)
            symlink(device.path, name)
        }

        /// Closes the line: a program that has it open gets a hang-up.
        func unplug() {
            close(master)
            unlink(name)
        }

        func send(_ bytes: some Collection<UInt8>) async {
            var rest = Array(bytes)
            while !rest.isEmpty {
                let count = write(master, rest, min(rest.count, 512))
                if count > 0 { rest.removeFirst(count) } else { return }
                await Task.yield()
            }
        }

        func send(_ text: String) async { await send(Array(text.utf8)) }
    }

    private func reading(
        _ readings: Readings, path: String, as kind: DeviceReader.Kind? = nil,
        silence: Duration = LineBuffer.endOfCodeSilence
    ) -> DeviceReader {
        DeviceReader(
            path: path, as: kind, silence: silence, log: { readings.log.append($0) },
            plugged: { readings.isThere.append($0) }, codeRead: { readings.codes.append($0) })
    }

    /// A reader on a line of its own, found and open.
    private func withLine(
        silence: Duration = LineBuffer.endOfCodeSilence,
        _ body: (Line, Readings) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let line = try Line(name: folder.file("reader"))
        defer { line.unplug() }
        let readings = Readings()
        let reader = reading(readings, path: line.name, silence: silence)
        #expect(await comes { readings.isThere == [true] })
        try await body(line, readings)
        withExtendedLifetime(reader) {}
    }

    @Test("A serial line gives whole lines, however their bytes are split")
    func serial() async throws {
        // The pauses of a busy computer between the pieces are no silence here.
        try await withLine(silence: .seconds(3_600)) { line, readings in
            await line.send(Self.code + "\r\n")
            #expect(await comes { readings.codes == [Self.code] })
            var rest = Array((Self.code + "\r").utf8)[...]
            while !rest.isEmpty {
                await line.send(rest.prefix(5))
                rest = rest.dropFirst(5)
                await Task.yield()
            }
            #expect(await comes { readings.codes.count == 2 })
            await line.send("0419384512\n\(Self.code)\t")
            let codes = [Self.code, Self.code, "0419384512", Self.code]
            #expect(await comes { readings.codes == codes })
        }
    }

    @Test("4 KiB of rubbish are one code that is too long, and its control bytes stay in it")
    func rubbish() async throws {
        // The pauses of a busy computer between the pieces are no silence here.
        try await withLine(silence: .seconds(3_600)) { line, readings in
            await line.send([UInt8](repeating: 0x78, count: 4_096) + [0x0D])
            #expect(await comes { readings.codes.map(\.utf8.count) == [LineBuffer.maxBytes] })
            // End of file, stop, erase and escape: a raw line passes them on.
            await line.send("\u{4}\u{13}\u{7F}\u{1B}[2J\r")
            #expect(await comes { readings.codes.last == "\u{4}\u{13}\u{7F}\u{1B}[2J" })
            let link = String(repeating: "h", count: Capability.maxLinkBytes)
            await line.send(link + "\r")
            #expect(await comes { readings.codes.dropFirst(2) == [link] })
            await line.send([0xFF, 0xC0, 0x80, 0x0D])
            #expect(await comes { readings.codes.count == 4 })
        }
    }

    @Test("STX before a code and ETX behind it are none of it")
    func framed() async throws {
        try await withLine(silence: .seconds(3_600)) { line, readings in
            await line.send("\u{2}\(Self.code)\u{3}")
            #expect(await comes { readings.codes == [Self.code] })
            await line.send("\u{2}\(Self.code)\u{3}\r\n\u{2}]Q1\(Self.code)\r")
            #expect(await comes { readings.codes == [Self.code, Self.code, "]Q1\(Self.code)"] })
            #expect(PresentedCode("]Q1\(Self.code)") == PresentedCode(Self.code))
        }
    }

    @Test("A line without an end is over after a silence, and the next code does not begin with it")
    func noEnd() async throws {
        try await withLine { line, readings in
            await line.send(Self.code.utf8.prefix(20))
            #expect(await comes { readings.codes == [String(Self.code.prefix(20))] })
            await line.send(Self.code + "\r")
            #expect(await comes { readings.codes.dropFirst() == [Self.code] })
        }
    }

    @Test("A reader that is pulled out is reported missing, and used again when it returns")
    func replugged() async throws {
        try await withLine { line, readings in
            await line.send(Self.code.utf8.prefix(20))
            line.unplug()
            #expect(await comes { readings.isThere == [true, false] })
            try line.plug()
            #expect(await comes { readings.isThere == [true, false, true] })
            await line.send(Self.code + "\r")
            #expect(await comes { readings.codes.contains(Self.code) })
            #expect(readings.log.contains { $0.hasSuffix("pulled out") })
        }
    }

    @Test("A reader that is missing at the start is reported once, and used when it appears")
    func late() async throws {
        let folder = try TemporaryFolder()
        let readings = Readings()
        let reader = reading(readings, path: folder.file("reader"))
        #expect(await comes { readings.isThere == [false] })
        let line = try Line(name: folder.file("reader"))
        defer { line.unplug() }
        #expect(await comes { readings.isThere == [false, true] })
        #expect(readings.log.count == 2 && readings.log[0].contains("No such file"))
        withExtendedLifetime(reader) {}
    }

    /// A pipe in the place of a reader's device. It is also open for reading, so that it has no end before the reader
    /// opens it.
    private func pipe(at path: String) -> Int32 {
        #expect(mkfifo(path, 0o600) == 0)
        return open(path, O_RDWR | O_CLOEXEC)
    }

    private func type(_ bytes: [UInt8], into pipe: Int32) {
        #expect(write(pipe, bytes, bytes.count) == bytes.count)
    }

    @Test("Key events become codes in the same way, through a pipe")
    func keyEvents() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("event")
        let writer = pipe(at: path)
        let readings = Readings()
        let reader = reading(readings, path: path, as: .keys)
        #expect(await comes { readings.isThere == [true] })
        let events = ReaderKeys.events(typing: Self.code + "\r" + String(Self.code.prefix(9)))
        for start in stride(from: 0, to: events.count, by: 1_000) {
            type(Array(events[start..<min(events.count, start + 1_000)]), into: writer)
        }
        let codes = [Self.code, String(Self.code.prefix(9))]
        #expect(await comes { readings.codes == codes })
        close(writer)
        #expect(await comes { readings.isThere.prefix(2) == [true, false] })
        withExtendedLifetime(reader) {}
    }

    @Test("A keyboard pulled out within a code, with Shift down, starts afresh when it returns")
    func keysReplugged() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("event")
        let first = pipe(at: path)
        let readings = Readings()
        let reader = reading(readings, path: path, as: .keys, silence: .seconds(3_600))
        #expect(await comes { readings.isThere == [true] })
        type(
            ReaderKeys.events(typing: String(Self.code.prefix(9)))
                + ReaderKeys.event(EV_KEY, KEY_LEFTSHIFT, 1), into: first)
        unlink(path)
        close(first)
        #expect(await comes { readings.isThere == [true, false] })
        let second = pipe(at: path)
        #expect(await comes { readings.isThere == [true, false, true] })
        type(ReaderKeys.events(typing: Self.code + "\r"), into: second)
        #expect(await comes { readings.codes == [Self.code] })
        unlink(path)
        close(second)
        withExtendedLifetime(reader) {}
    }

    @Test("A reader's fault is named; a device that can be opened has none")
    func fault() throws {
        let folder = try TemporaryFolder()
        #expect(DeviceReader.fault(of: folder.file("nothing")) == "No such file or directory")
        #expect(DeviceReader.fault(of: try folder.write([], to: "line")) == nil)
    }
}
