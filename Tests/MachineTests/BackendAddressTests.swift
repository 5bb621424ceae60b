import BackendClient
import Testing

@Suite("The backend's address")
struct BackendAddressTests {
    @Test(
        "Addresses are read, with the port that a signature covers",
        arguments: [
            ("https://queue.example.it", "queue.example.it"),
            ("https://Queue.Example.it:443/", "queue.example.it"),
            ("https://queue.example.it:8443", "queue.example.it:8443"),
            ("http://127.0.0.1:8080", "127.0.0.1:8080"), ("http://localhost:80", "localhost"),
            ("http://[::1]:8080", "[::1]:8080"),
        ])
    func accepted(text: String, authority: String) throws {
        #expect(try BackendAddress(text).authority == authority)
    }

    @Test(
        "An invalid address is refused in a sentence that names it",
        arguments: [
            "", "queue.example.it", "ftp://queue.example.it", "http://queue.example.it",
            "https://", "https://host/path", "https://host:0", "https://host:99999",
            "https://host:+1", "https://ho st", "https://user@host", "https://host:",
        ])
    func refused(text: String) {
        let error = #expect(throws: BackendAddress.Malformed.self) { try BackendAddress(text) }
        #expect(error?.description.contains("\"\(text)\"") == true)
    }
}
