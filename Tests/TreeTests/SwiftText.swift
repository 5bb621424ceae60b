/// The parts of a Swift file: its code without strings, and its comments.
struct SwiftText {
    /// A line of each, empty where the file has none of it.
    private(set) var code: [String] = []
    private(set) var comments: [String] = []

    init(_ file: Tree.File) {
        var isInText = false
        for line in file.lines {
            if line.contains("\"\"\"") {
                // A text over several lines begins or ends here.
                isInText.toggle()
                code.append("")
                comments.append("")
            } else if isInText {
                code.append("")
                comments.append("")
            } else {
                let (code, comment) = Self.parts(line)
                self.code.append(code)
                comments.append(comment)
            }
        }
    }

    private static func parts(_ line: Substring) -> (code: String, comment: String) {
        let bytes = Array(line.utf8)
        var code: [UInt8] = []
        var isInString = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if isInString, byte == UInt8(ascii: "\\") {
                index += 1
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if !isInString {
                if byte == UInt8(ascii: "/"), bytes.dropFirst(index + 1).first == byte {
                    let comment = String(decoding: bytes[index...], as: UTF8.self)
                    return (String(decoding: code, as: UTF8.self), comment)
                }
                code.append(byte)
            }
            index += 1
        }
        return (String(decoding: code, as: UTF8.self), "")
    }

    /// The words of names in small letters: `maxPINAttempts` consists of max, pin and attempts.
    static func words(ofNamesIn code: String) -> Set<String> {
        let bytes = Array(code.utf8)
        func isSmall(_ index: Int) -> Bool {
            bytes.indices.contains(index) && bytes[index] | 0x20 == bytes[index]
        }
        var words: Set<String> = []
        var word: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            let isCapital = isLetter && byte | 0x20 != byte
            let begins = isCapital && (isSmall(index - 1) || isSmall(index + 1))
            if !isLetter || begins {
                words.insert(String(decoding: word, as: UTF8.self))
                word = []
            }
            if isLetter { word.append(byte | 0x20) }
        }
        return words.union([String(decoding: word, as: UTF8.self)])
    }
}
