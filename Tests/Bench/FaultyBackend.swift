import Glibc
import TestSupport

/// A fake backend in front of the real one, with one fault from the start; for demonstrations.
enum FaultyBackend {
    enum Fault: String, CaseIterable {
        /// Every answer comes 2 s late: just within the time of one try (rules: time-outs).
        case slow
        /// No process listens.
        case down
        /// Every answer is a web page of a foreign server.
        case garbage
    }

    private static let page = "<html><body><h1>It works!</h1></body></html>"

    /// Prints its address on a line of JSON and runs until a signal ends it.
    static func run(_ options: Options) throws {
        let backend = try options.required("backend")
        _ = try options.backendPort()
        let word = try options.required("fault")
        guard let fault = Fault(rawValue: word) else {
            let faults = Fault.allCases.map(\.rawValue).joined(separator: ", ")
            throw BenchError.usage("--fault is one of \(faults), not \"\(word)\"")
        }
        let proxy = try FaultProxy(to: backend)
        switch fault {
        case .slow: proxy.inject(.delay(.seconds(2)))
        case .down: try proxy.refuse()
        case .garbage: proxy.inject(.answer(HTTPBytes.answer(200, page, type: "text/html")))
        }
        print("{\"listening\":\"\(proxy.address)\"}")
        fflush(nil)
        withExtendedLifetime(proxy) { while true { pause() } }
    }
}
