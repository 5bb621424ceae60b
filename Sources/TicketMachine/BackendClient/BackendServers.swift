private import Synchronization

/// The addresses of one chain's servers, and which of them answered last.
///
/// All clients of a machine share it, so that a customer does not wait for a server that a poll has found silent. Any
/// server may be asked anything, because all work on one database.
public final class BackendServers: Sendable {
    /// In the order in which they are tried while none is known to answer; never empty.
    public let addresses: [BackendAddress]
    private let preferred = Mutex<Int>(0)

    /// - Parameter text: addresses, separated by commas.
    public init(_ text: String) throws(BackendAddress.Malformed) {
        var addresses: [BackendAddress] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var part = part.drop { $0 == " " }
            while part.last == " " { part.removeLast() }
            let address = try BackendAddress(String(part))
            guard !addresses.contains(address) else {
                throw BackendAddress.Malformed(
                    description: "The backend's address \"\(address)\" is there twice.")
            }
            addresses.append(address)
        }
        self.addresses = addresses
    }

    /// The address to call now.
    public var current: BackendAddress { preferred.withLock { addresses[$0] } }

    /// Records that an address gave no answer: all clients call the next one from now on.
    ///
    /// It does nothing if another client has recorded that meanwhile.
    func failed(_ address: BackendAddress) {
        preferred.withLock { preferred in
            if addresses[preferred] == address { preferred = (preferred + 1) % addresses.count }
        }
    }
}
