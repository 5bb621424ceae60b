import BackendAPI
import Foundation

/// Debian's Radicale, a server of calendars (CalDAV, RFC 4791), with one calendar of one customer.
public final class CalendarServer: Sendable {
    private let port: ReservedPort
    private let process: RunningProgram
    private let folder: TemporaryFolder

    public init() async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let port = try ReservedPort()
        self.port = port
        // Debian's interpreter has the package; no file of settings is read.
        process = try Tool.start(
            "/usr/bin/python3",
            [
                "-m", "radicale", "--config", "", "--server-hosts", port.address,
                "--auth-type", "none", "--storage-filesystem-folder", folder.file("calendars"),
            ], output: folder.file("said"), errors: folder.file("errors"))
        try await process.waits("radicale", log: folder.file("errors")) {
            LoopbackWire.isListening(on: port.number)
        }
        let made = try await call("MKCALENDAR", "")
        guard made.status == 201 else {
            throw TestSupportError("there is no calendar: \(made)")
        }
    }

    deinit { process.stopBlocking(SIGKILL) }

    /// Stores an object under a name; returns the status of the answer.
    public func put(_ object: String, as name: String) async throws -> Int {
        try await call("PUT", name, object, type: "text/calendar; charset=utf-8").status
    }

    /// The object of a name; nil if there is none.
    public func object(_ name: String) async throws -> String? {
        let answer = try await call("GET", name)
        return answer.status == 200 ? answer.text : nil
    }

    public func delete(_ name: String) async throws -> Int {
        try await call("DELETE", name).status
    }

    /// The names of the objects with an event between two moments, as `20261121T090000Z` (RFC 4791 9.9).
    public func names(from start: String, to end: String) async throws -> [String] {
        let query = """
            <?xml version="1.0"?>
            <c:calendar-query xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:d="DAV:">
            <d:prop><d:getetag/></d:prop>
            <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">
            <c:time-range start="\(start)" end="\(end)"/>
            </c:comp-filter></c:comp-filter></c:filter></c:calendar-query>
            """
        let answer = try await call("REPORT", "", query, type: "application/xml; charset=utf-8")
        guard answer.status == 207 else { throw TestSupportError("no report: \(answer)") }
        return answer.text.matches(of: #/<href>/customer/calendar/([^<]+)</href>/#)
            .map { String($0.1) }
    }

    private func call(
        _ method: String, _ name: String, _ body: String = "", type: String? = nil
    ) async throws -> (status: Int, text: String) {
        // The user's name says whose calendars are meant; any password is right.
        let user = Data("customer:any".utf8).base64EncodedString()
        var request = WireRequest(
            method: method, authority: port.address, path: "/customer/calendar/\(name)",
            fields: ["Authorization": "Basic \(user)"], body: Array(body.utf8))
        request.fields["Content-Type"] = type
        let answer = try await request.answer()
        return (answer.status ?? 0, String(decoding: answer.body, as: UTF8.self))
    }
}
