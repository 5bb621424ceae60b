public import BackendAPI
private import Synchronization

/// The names under which the backend answers, without their ports. A request that was sent to or signed for another
/// name is refused (RFC 9110 7.4), so that a page that points its own name here reads nothing.
///
/// If no names were set, they are those of the loopback and those by which enrolled machines call: each machine has
/// one, the first that it signed a request for, so that a backend goes on serving after an upgrade.
final class ServedNames: Sendable {
    private static let loopback: Set = ["localhost", "127.0.0.1", "[::1]"]

    private let given: Set<String>?
    /// The name of each machine, used if none were set.
    private let learned: Mutex<[MachineName: String]>

    /// `given` are the names that were set; `known` is the name of each machine that was heard before.
    init(given: Set<String>?, known: [MachineName: String]) {
        self.given = given.map { Set($0.map { $0.lowercased() }) }
        learned = Mutex(known)
    }

    var areSet: Bool { given != nil }

    static func host(of authority: String) -> String {
        let bytes = authority.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
            !bytes[colon...].contains(UInt8(ascii: "]"))
        else { return authority }
        return String(authority[..<colon])
    }

    func serve(_ authority: String) -> Bool {
        let host = Self.host(of: authority)
        if let given { return given.contains(host) }
        return Self.loopback.contains(host) || learned.withLock { $0.values.contains(host) }
    }

    func serveHealth(_ authority: String) -> Bool {
        Self.loopback.contains(Self.host(of: authority)) || serve(authority)
    }

    /// Learns the name that a machine has signed; false if the machine is known by another name.
    func learn(_ authority: String, of machine: MachineName) -> Bool {
        guard given == nil else { return false }
        let host = Self.host(of: authority)
        return learned.withLock { learned in
            guard learned[machine] == nil || learned[machine] == host else { return false }
            learned[machine] = host
            return true
        }
    }
}

extension BackendService {
    /// The refusal of a request that was sent to another name; nil if the name is one of this backend's.
    public func misdirected(_ request: WireRequest) -> WireResponse? {
        guard !names.serve(request.authority) else { return nil }
        return misdirection(of: request).response
    }

    /// The refusal of a phone's request that was sent to another name.
    public func misdirectedPhone(_ request: WireRequest) -> WireResponse? {
        guard ServedNames.host(of: request.authority) != options.phones?.host else { return nil }
        return misdirection(of: request).response
    }

    func misdirection(of request: WireRequest) -> RefusedCall {
        // The name comes from an unauthenticated caller, so that only a part of it is logged.
        let host = String(ServedNames.host(of: request.authority).prefix(Self.maxHostNameLength))
        log.note(
            "misdirected",
            ["name": host, "set": names.areSet ? "--name lacks it" : "--name \(host)"])
        return RefusedCall(.misdirected, "this backend is called by another name")
    }

    /// Longest name of a host (RFC 1035 2.3.4).
    private static let maxHostNameLength = 253
}
