import CommandSyntax
import Glibc

extension Command {
    static let proxyCheck = Command(
        words: ["proxy", "check"], summary: "look at the settings of nginx before this backend",
        options: [.optional("nginx", "FOLDER", "nginx's settings; /etc/nginx unless given")],
        notes: """
            Prints a line for each thing that the backend needs of nginx, and what to change if something is wrong;
            ends with 1 then. It reads nginx.conf and conf.d/clup-backend.conf.
            """
    ) { arguments in
        let folder = arguments.optional("nginx") ?? "/etc/nginx"
        let findings = try ProxyCheck.findings(in: folder)
        for finding in findings { print("\(finding.isGood ? "ok" : "WRONG") \(finding.text)") }
        if findings.contains(where: { !$0.isGood }) {
            throw CommandError.failure(
                "nginx does not keep everything away from the backend that it should")
        }
    }
}

private enum ProxyCheck {
    /// A client's and a backend's connection each use one; an address may have at most a hundred of each.
    private static let minConnections = 4_096
    /// The value that nginx uses if none is set (nginx.org, ngx_core_module).
    private static let standardConnections = 512
    /// Directives of the delivered file, without which one address could shut out the others.
    private static let needed = [
        "proxy_request_buffering off", "limit_conn clup_addresses",
        "proxy_set_header X-Real-IP $remote_addr",
    ]

    /// What nginx's settings have, and what they lack with its remedy.
    static func findings(in folder: String) throws -> [(isGood: Bool, text: String)] {
        let main = try words(of: "\(folder)/nginx.conf")
        let connections =
            main.first { $0.hasPrefix("worker_connections ") }
            .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } } ?? standardConnections
        let isEnough = connections >= minConnections
        let more =
            " connections are soon used up; set \"worker_connections \(minConnections);\" in the block "
            + "\"events\" of \(folder)/nginx.conf, and \"worker_rlimit_nofile "
            + "\(2 * minConnections);\" before it"
        let place = "\(folder)/conf.d/clup-backend.conf"
        let own = try words(of: place)
        return [(isEnough, "worker_connections: \(connections)\(isEnough ? "" : more)")]
            + needed.map { directive in
                own.contains { $0.hasPrefix(directive) }
                    ? (true, directive)
                    : (
                        false,
                        "\"\(directive)\" is missing in \(place); take the file of this "
                            + "version, of /usr/share/doc/clup-backend/examples/nginx"
                    )
            }
    }

    /// The directives of a file, each with single spaces; comments are left out.
    private static func words(of path: String) throws -> [String] {
        guard let file = fopen(path, "r") else {
            throw CommandError.failure(
                "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
            .map { $0.prefix { $0 != "#" } }
        return lines.joined(separator: " ").split { "{};".contains($0) }.map { directive in
            directive.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
        }
    }
}
