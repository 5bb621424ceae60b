import Glibc

/// The file from which this program was started.
enum ThisProgram {
    /// The text that the kernel appends to the name of a file that does not exist any more (proc(5)).
    private static let mark = " (deleted)"

    private static var link: String {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &text, text.count)
        return String(
            decoding: text.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether another file has been put in its place.
    static var isReplaced: Bool { link.hasSuffix(mark) }

    static var path: String {
        let link = link
        guard link.hasSuffix(mark) else { return link }
        return String(link.dropLast(mark.count))
    }

    /// Whether a library in use has been replaced, as by a security update (proc(5), maps).
    static var hasReplacedLibraries: Bool {
        ([String](linesOf: "/proc/self/maps") ?? []).contains {
            $0.hasSuffix(mark) && $0.contains("/lib/") && $0.contains(".so")
        }
    }
}
