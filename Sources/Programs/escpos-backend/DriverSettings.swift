import Glibc

struct DriverSettings {
    /// Dots across that the printer can print: `cupsModelNumber`.
    var dots = 576
    /// Whether it answers questions about its status: `ReportStatus` among `cupsCommands`.
    var answers = true

    /// Far more than a driver file has, which is 3 KB.
    private static let maxFileBytes = 1 << 20

    /// Without a file, or without an entry in it: an 80 mm roll, and a printer that answers.
    init(file path: String?) {
        guard let path, let file = fopen(path, "r") else { return }
        defer { fclose(file) }
        answers = false
        var bytes = [UInt8](repeating: 0, count: Self.maxFileBytes)
        let count = fread(&bytes, 1, bytes.count, file)
        for line in String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("*cupsModelNumber:"),
                let value = line.split(separator: " ").last.flatMap({ Int($0) }),
                (64...2_048).contains(value)
            {
                dots = value
            }
            if line.hasPrefix("*cupsCommands:"), line.contains("ReportStatus") { answers = true }
        }
    }
}
