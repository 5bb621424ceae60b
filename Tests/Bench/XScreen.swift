import Glibc
import TestSupport

/// The screen of an X server as pixels: two requests of the X11 protocol, without a library.
final class XScreen {
    private let descriptor: Int32
    private let root: UInt32
    let width: Int
    let height: Int

    /// - Parameter display: in the form of `DISPLAY`; the server accepts every user of this computer.
    init(display: String) throws {
        descriptor = try UnixStream.connected(to: "/tmp/.X11-unix/X\(display.dropFirst())")
        // Little-endian, version 11.0, no authorization.
        var greeting: [UInt8] = [0x6C, 0, 11, 0]
        greeting += [UInt8](repeating: 0, count: 8)
        try UnixStream.send(greeting, to: descriptor)
        let head = try UnixStream.receive(8, from: descriptor)
        let rest = try UnixStream.receive(4 * Int(Self.word(head, 6)), from: descriptor)
        guard head[0] == 1 else { throw BenchError("the X server lets nobody in") }
        // After 32 bytes come the vendor's name, padded, and eight bytes for each format of pixels.
        let vendor = (Int(Self.word(rest, 16)) + 3) / 4 * 4
        let screen = 32 + vendor + 8 * Int(rest[21])
        root = UInt32(Self.word(rest, screen)) | UInt32(Self.word(rest, screen + 2)) << 16
        width = Int(Self.word(rest, screen + 20))
        height = Int(Self.word(rest, screen + 22))
    }

    deinit { close(descriptor) }

    /// Eight by eight pixels from a place given as fractions of the screen: blue, green, red, unused.
    func pixels(_ x: Double, _ y: Double) throws -> [UInt8] {
        let side: UInt32 = 8
        let place = UInt32(x * Double(width)) | UInt32(y * Double(height)) << 16
        // GetImage (73) as ZPixmap (2), all planes; five words.
        let words: [UInt32] = [73 | 2 << 8 | 5 << 16, root, place, side | side << 16, .max]
        try UnixStream.send(
            words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } },
            to: descriptor)
        while true {
            let head = try UnixStream.receive(32, from: descriptor)
            switch head[0] {
            case 0: throw BenchError("the X server shows no picture: error \(head[1])")
            case 1:
                let length = Int(Self.word(head, 4)) | Int(Self.word(head, 6)) << 16
                return try UnixStream.receive(4 * length, from: descriptor)
            // An event that was not requested.
            default: continue
            }
        }
    }

    /// Waits until the pixels meet the condition; returns the time of that.
    @discardableResult
    func wait(
        _ what: String, _ x: Double, _ y: Double, seconds: Int64 = 30,
        until holds: ([UInt8]) -> Bool
    ) throws -> Int64 {
        let limit = Clock.monotonic + seconds * 1_000_000_000
        while true {
            let found = try pixels(x, y)
            if holds(found) { return Clock.monotonic }
            guard Clock.monotonic < limit else {
                let colour = found.prefix(3).reversed().map(String.init).joined(separator: ", ")
                throw BenchError("\(what) did not come: the screen is \(colour) there")
            }
            // The server draws between two requests.
            usleep(100)
        }
    }

    private static func word(_ bytes: [UInt8], _ at: Int) -> UInt16 {
        UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
    }
}
