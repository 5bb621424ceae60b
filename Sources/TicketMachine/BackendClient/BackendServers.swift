private import Synchronization

/// The addresses of one chain's servers, and which of them answered last.
///
/// One for all clients of a machine: what a poll has found out, a customer does not wait for again. Any
/// server may be asked anything; all work on one database.
public final class BackendServers: Sendable {
    /// In the order in which they are tried while none is known to answer; never empty.
    public let addresses: [BackendAddress]
    private let preferred = Mutex<Int>(0)

    public init(_ first: BackendAddress, _ others: BackendAddress...) {
        addresses = [first] + others
    }

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

    /// The one to ask now.
    public var current: BackendAddress { preferred.withLock { addresses[$0] } }

    /// An address gave no answer: the next one is asked from now on, by every client.
    ///
    /// Nothing where another client has found that out meanwhile.
    func failed(_ address: BackendAddress) {
        preferred.withLock { preferred in
            if addresses[preferred] == address { preferred = (preferred + 1) % addresses.count }
        }
    }
}
