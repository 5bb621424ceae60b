import Foundation
import SQLite
import TestSupport
import Testing

@Suite("The log of a SQLite file")
struct LogSizeTests {
    @Test("It is small again after the end of a long read")
    func longReader() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("database")
        let writer = try Connection(path: path)
        try writer.expectLoad()
        try writer.execute("CREATE TABLE big (content BLOB)")
        let reader = try Connection(path: path, opening: .existing)
        try reader.execute("BEGIN; SELECT count(*) FROM big;")
        for _ in 0..<48 { try writer.execute("INSERT INTO big VALUES (randomblob(1048576))") }
        func size() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
        }
        #expect(try size() > 48 << 20)
        try reader.execute("COMMIT")
        // The first one copies the log into the file, the next one starts it again.
        for _ in 0..<3 { try writer.execute("INSERT INTO big VALUES (1)") }
        #expect(try size() <= 32 << 20)
    }
}
