import Glibc

enum Folder {
    /// Every name but those of the directory itself and the one above, in order; nil, with errno set, if it cannot be
    /// read.
    static func names(in directory: String) -> [String]? {
        guard let listing = opendir(directory) else { return nil }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
