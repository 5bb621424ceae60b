import BackendAPI
import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("An HTTP server that is stopped")
struct HTTPServerStopTests {
    @Test("A stop answers the requests that have begun, closes the others, and says so to new ones")
    func drain() async throws {
        var limits = HTTPLimits()
        limits.drain = .seconds(600)
        let server = try PendingServer(limits: limits, sockets: { $1(.admitted { _ in {} }) })
        let idle = try RawClient(server.address)
        #expect(idle.get()?.status == 200)
        let display = try RawClient(server.address)
        var upgrade = WireRequest(method: "GET", authority: "a", path: "/")
        SocketClient.upgrade(&upgrade, ticket: "t")
        #expect(display.call(upgrade)?.status == 101)
        let busy = try #require(try await server.waitingClient())
        let stopped = server.stopInBackground()
        var answer: WireResponse?
        // The stop has begun when a new request is refused.
        #expect(
            try blocks {
                answer = try RawClient(server.address).get("/readyz")
                return answer?.status == 503
            })
        #expect(answer?.fields["retry-after"] == "1")
        #expect(answer?.fields["connection"] == "close")
        #expect(answer?.problem == .unavailable)
        #expect(try answer?.decoded(Problem.self).detail == "the server is stopping")
        #expect(
            SocketClient(upgraded: display).closed() == 1_001, "notified at once, not at the end")
        for _ in 0..<20 {
            let later = try RawClient(server.address).get()
            #expect(later?.status == 503 && later?.fields["connection"] == "close")
        }
        server.answer(201)
        let last = busy.response()
        #expect(last?.status == 201 && last?.fields["connection"] == "close")
        // Idle connections are not waited for.
        #expect(stopped.wait(timeout: .now() + 30) == .success)
        #expect(idle.isClosed())
        #expect(throws: RawClient.Failure.self) { try RawClient(server.address) }
    }

    @Test("A request that comes while the server stops is refused with 503")
    func comesTooLate() async throws {
        // Nothing is awaited while the connection is open, which is closed if it is not used for a while.
        var limits = HTTPLimits()
        limits.quiet = limits.drain
        let server = try PendingServer(limits: limits)
        let busy = try #require(try await server.waitingClient())
        var kept = try RawClient(server.address)
        #expect(kept.get()?.status == 200)
        let stopped = server.stopInBackground()
        var late: WireResponse?
        repeat {
            // A request that came just in time is answered, and its connection closed.
            if late?.fields["connection"] == "close" { kept = try RawClient(server.address) }
            late = kept.get("/late")
        } while late?.status == 200
        #expect(late?.status == 503)
        server.answer(201)
        #expect(busy.response()?.status == 201)
        #expect(stopped.wait(timeout: .now() + 30) == .success)
    }

    @Test("A request that the service never answers gets 503 at the end")
    func forgotten() async throws {
        var limits = HTTPLimits()
        limits.drain = .milliseconds(100)
        let server = try PendingServer(limits: limits)
        let client = try #require(try await server.waitingClient())
        server.http.stop()
        // A late answer reaches no connection.
        server.answer(200)
        _ = client.response()
    }

    @Test("A server whose connections never rest can be stopped at any moment")
    func anyMoment() throws {
        var limits = HTTPLimits()
        limits.drain = .zero
        for _ in 0..<200 {
            let server = try HTTPServerTests.serve(limits: limits)
            let ended = DispatchGroup()
            let answered = DispatchSemaphore(value: 0)
            for _ in 0..<4 {
                DispatchQueue.global().async(group: ended) {
                    while let client = try? RawClient(server.address) {
                        while client.get()?.status == 200 { answered.signal() }
                    }
                    answered.signal()
                }
            }
            answered.wait()
            server.stop()
            #expect(ended.wait(timeout: .now() + 30) == .success)
        }
    }

    @Test("A server whose connections are all taken can be stopped")
    func full() throws {
        var limits = HTTPLimits()
        limits.drain = .zero
        limits.connections = 2
        let server = try HTTPServerTests.serve(limits: limits)
        let taken = try (0..<2).map { _ in try RawClient(server.address) }
        for client in taken { #expect(client.get()?.status == 200) }
        let waiting = try RawClient(server.address)
        server.stop()
        #expect(taken.allSatisfy { $0.isClosed() } && waiting.isClosed())
        #expect(throws: RawClient.Failure.self) { try RawClient(server.address) }
    }
}
