internal import CGLib
internal import Glibc

/// The offsets of a time zone: read once from the system's data, the package tzdata (tzfile(5)).
public final class TimeZoneRules: Sendable {
    private static let directory = "/usr/share/zoneinfo"

    // The zone is never changed once it is made, and may be read by several threads at once (GLib, "GTimeZone").
    nonisolated(unsafe) private let zone: OpaquePointer

    /// Returns nil for an unknown zone, and for a text that is not a name such as "Europe/Rome" or "UTC".
    public init?(name: String) {
        guard Self.isName(name), Self.isFile("\(Self.directory)/\(name)"),
            let zone = g_time_zone_new_identifier(name)
        else { return nil }
        self.zone = zone
    }

    deinit { g_time_zone_unref(zone) }

    /// How many seconds the clocks are ahead of Greenwich's, at a moment in seconds since 1970.
    public func offset(at seconds: Int64) -> Int64 {
        let interval = g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, Int(seconds))
        return Int64(g_time_zone_get_offset(zone, interval))
    }

    /// Whether a text is a name; GLib also takes paths, offsets, rules of tzset(3), and names under "posix" and
    /// "right".
    private static func isName(_ name: String) -> Bool {
        if ["UTC", "GMT"].contains(name) { return true }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 1 && name.first?.isUppercase == true
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0))
                    }
            }
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
