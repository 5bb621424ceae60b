import BackendAPI
@testable import BackendService
import Cryptography
import Foundation
import HTTPServer
import Metrics
import Reservations
import TestSupport
import Testing

@Suite("Metrics")
struct MetricsTests {
    /// A sample as Prometheus reads it, or nil if it would reject the line.
    private struct Sample {
        let name: String
        var labels: [String: String] = [:]
        let value: Double

        init?(_ line: Substring) {
            let form = /([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\]|\\["\\n])*",?)*)\})? (\S+)/
            guard let parts = line.wholeMatch(of: form),
                let value = Double(parts.3.replacing("+Inf", with: "inf"))
            else { return nil }
            name = String(parts.1)
            self.value = value
            for label in (parts.2 ?? "").matches(of: /([a-z_]+)="((?:[^"\\]|\\.)*)"/) {
                let text = label.2.replacing(/\\(.)/) { $0.1 == "n" ? "\n" : $0.1 }
                guard labels.updateValue(String(text), forKey: String(label.1)) == nil else {
                    return nil
                }
            }
        }
    }

    /// Reads the whole text by the rules of the format and records an issue for each violation.
    private static func read(_ text: String) -> [Sample] {
        #expect(text.hasSuffix("\n"), "the last line has its end")
        var types: [String: String] = [:]
        var helped: Set<String> = []
        var finished: Set<String> = []
        var present = ""
        var samples: [Sample] = []
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                #expect(helped.insert(words[2]).inserted, "HELP twice: \(line)")
                finished.insert(present)
                present = words[2]
                #expect(!finished.contains(present), "a metric's lines are together")
            } else if line.hasPrefix("# TYPE ") {
                #expect(words[2] == present, "TYPE follows HELP: \(line)")
                #expect(types.updateValue(words[3], forKey: present) == nil, "TYPE twice: \(line)")
                #expect(["counter", "gauge", "histogram"].contains(words[3]))
            } else if let sample = Sample(line) {
                let suffixes = types[present] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                #expect(suffixes.contains { present + $0 == sample.name }, "\(line)")
                if types[present] == "counter" { #expect(sample.name.hasSuffix("_total")) }
                samples.append(sample)
            } else {
                Issue.record("no sample: \(line)")
            }
        }
        let series = samples.map { "\($0.name) \($0.labels.sorted { $0.key < $1.key })" }
        #expect(Set(series).count == series.count, "each series once")
        return samples
    }

    @Test("Samples, labels and histograms follow the rules of the format")
    func format() {
        var text = MetricText()
        text.add("a_total", .counter, help: "Back\\slash and\nline.", 3)
        text.add(
            "b", .gauge, help: "Labels.",
            [
                (labels: [Label("shop", "a\"b\\c\nd"), Label("x", "è")], value: 1.5),
                (labels: [], value: -.infinity),
            ])
        text.add("none", .gauge, help: "Nothing.", [])
        var value = HistogramValue(bounds: [1, 2.5])
        for observed in [1, 1.5, 99] { value.observe(observed) }
        text.add("c_seconds", help: "Waits.", [([Label("route", "r")], value)])
        #expect(
            text.text == """
                # HELP a_total Back\\\\slash and\\nline.
                # TYPE a_total counter
                a_total 3
                # HELP b Labels.
                # TYPE b gauge
                b{shop="a\\"b\\\\c\\nd",x="è"} 1.5
                b -Inf
                # HELP c_seconds Waits.
                # TYPE c_seconds histogram
                c_seconds_bucket{route="r",le="1"} 1
                c_seconds_bucket{route="r",le="2.5"} 2
                c_seconds_bucket{route="r",le="+Inf"} 3
                c_seconds_sum{route="r"} 101.5
                c_seconds_count{route="r"} 3

                """)
        let samples = Self.read(text.text)
        #expect(samples[1].labels["shop"] == "a\"b\\c\nd")
    }

    @Test("Keys from outside cannot create series without end")
    func cardinality() {
        let tally = Tally<Int>(maxKeys: 3)
        let distribution = Distribution<Int>(bounds: [1], maxKeys: 3)
        for key in 0..<10 {
            tally.count(key)
            tally.count(0)
            distribution.observe(0.5, key)
        }
        #expect(tally.values == [0: 11, 1: 1, 2: 1])
        #expect(distribution.values.count == 3)
        let routes = [
            "/v1/holds/abc", "/v1/holds/def", "/v1/holds/abc/extension",
            "/v1/holds/abc/confirmation", "/v1/reservations/abc", "/v1/queue", "/healthz",
            "/readyz", "/display/ROM1", "/../etc", "/v1/x\(UUID())", "/v1/queue/x",
        ].map(ServiceMetrics.route)
        #expect(
            routes == [
                "/v1/holds/{id}", "/v1/holds/{id}", "/v1/holds/{id}/extension",
                "/v1/holds/{id}/confirmation", "/v1/reservations/{id}", "/v1/queue", "/healthz",
                "/readyz", "other", "other", "other", "other",
            ])
    }

    /// The backend's program with a machine and a display, and a collector of its metrics.
    private struct Measured {
        let key: SigningKey
        let display: SigningKey
        let program: ServedProgram
        let client: RawClient
        let collector: RawClient

        init() throws {
            try Cryptography.start()
            key = try SigningKey.generate()
            display = try SigningKey.generate()
            program = try ServedProgram(
                keys: [("machine", key), ("display", display)],
                options: ["--metrics", "127.0.0.1:0"])
            let listening = try #require(program.firstLine["metrics"])
            let address = try #require(ListenAddress(String(listening.dropFirst("http://".count))))
            client = try RawClient(program.address)
            collector = try RawClient(address)
        }

        func call(_ request: WireRequest, _ status: Int) throws -> WireResponse {
            let answer = try #require(client.call(request))
            #expect(answer.status == status)
            return answer
        }

        /// The metrics, which must not contain the secrets.
        func scrape(without secrets: [String] = []) throws -> Scrape {
            let answer = try #require(collector.get("/metrics"))
            #expect(answer.status == 200)
            #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let text = answer.text
            for secret in secrets + [key.publicKey.keyID, key.publicKey.text] {
                #expect(!text.contains(secret))
            }
            return Scrape(samples: MetricsTests.read(text))
        }
    }

    private struct Scrape {
        let samples: [Sample]

        func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
            samples.first { $0.name == name && $0.labels == labels }?.value
        }

        func requests(_ route: String, _ status: String) -> Double? {
            value("clup_requests_total", ["route": route, "status": status])
        }
    }

    @Test("The program reports requests, waits, commits, queues, refusals and the papers of today")
    func program() throws {
        let measured = try Measured()
        let (program, key) = (measured.program, measured.key)
        let held = try measured.call(
            program.request(.holds, "{\"kind\":\"ticket\"}", key: key), 201
        ).decoded(HeldPlace.self)
        let confirmation = program.request(.holdConfirmation(held.id), key: key)
        let reservation = try measured.call(confirmation, 201).decoded(Reservation.self)
        _ = try measured.call(confirmation, 401)
        _ = try measured.call(program.request(.queue, key: try SigningKey.generate()), 401)
        #expect(measured.client.get("/nothing")?.status == 404)
        let scrape = try measured.scrape(without: [
            reservation.code.rawValue, reservation.digits, held.id.rawValue,
        ])
        #expect(scrape.requests("/v1/holds", "201") == 1)
        #expect(scrape.requests("/v1/queue", "401") == 1)
        #expect(scrape.requests("/v1/holds/{id}/confirmation", "201") == 1)
        #expect(scrape.requests("/v1/holds/{id}/confirmation", "401") == 1)
        #expect(scrape.requests("other", "404") == 1)
        #expect(scrape.value("clup_request_seconds_count", ["route": "/v1/holds"]) == 1)
        #expect(scrape.value("clup_wait_told_seconds_count", ["promise": "expected"]) == 1)
        #expect(scrape.value("clup_wait_told_seconds_count", ["promise": "latest"]) == 1)
        // The repeated confirmation is a command, too: the store knows that its nonce was used.
        #expect(scrape.value("clup_commit_commands_sum", ["fate": "committed"]) == 3)
        #expect(scrape.value("clup_commit_seconds_count", ["fate": "committed"]) ?? 0 >= 1)
        #expect(scrape.value("clup_refused_signatures_total", ["reason": "replayed"]) == 1)
        #expect(scrape.value("clup_refused_signatures_total", ["reason": "wrong-signature"]) == 1)
        #expect(scrape.value("clup_events_total", ["event": "started", "reason": ""]) == 1)
        #expect(scrape.value("clup_queue_waiting", ["shop": "ROM1"]) == 0)
        #expect(scrape.value("clup_queue_calling", ["shop": "ROM1"]) == 1)
        #expect(scrape.value("clup_shop_open", ["shop": "ROM1"]) == 1)
        #expect(scrape.value("clup_ready") == 1)

        // The papers of today, as the machines have reported them.
        let today = try measured.call(program.request(.machine, key: key), 200)
            .decoded(MachineProfile.self).now.day
        let reported = [
            PrintTally(day: today.advanced(by: -1), printed: 90, failed: 9, copies: 9),
            PrintTally(day: today, printed: 7, failed: 2, copies: 1, unknown: 4),
        ]
        for papers in [reported, []] {
            let body = try sortedJSON(
                MachineStatusReport(
                    condition: MachineStatusTests.well, memory: "m", papers: papers))
            _ = try measured.call(program.request(.machineStatus, body, key: key), 200)
        }
        let later = try measured.scrape()
        let papers = ["printed", "failed", "copy", "unknown"].map {
            later.value("clup_papers_today", ["shop": "ROM1", "fate": $0])
        }
        #expect(papers == [7, 2, 1, 4])
    }

    @Test("The program reports its sockets and itself, at an address of their own only")
    func itself() throws {
        let measured = try Measured()
        let program = measured.program
        let socket = try program.openSocket(measured.display)
        // It is counted once it is a WebSocket, a moment after its answer.
        #expect(socket.next()?.opcode == 1)
        let scrape = try measured.scrape()
        // The use of the socket's ticket is a command.
        #expect(scrape.value("clup_commit_commands_sum", ["fate": "committed"]) == 1)
        #expect(scrape.value("clup_open_sockets") == 1)
        #expect(scrape.value("clup_open_connections") == 2)
        #expect(scrape.value("process_resident_memory_bytes") ?? 0 > 1_000_000)
        let open = scrape.value("process_open_fds") ?? 0
        let other = try RawClient(program.address)
        #expect(other.get("/healthz")?.status == 200)
        #expect(try measured.scrape().value("process_open_fds") == open + 1)
        // Metrics are served only at their own address, and that address serves only metrics.
        #expect(other.get("/metrics")?.status == 404)
        #expect(measured.collector.get("/healthz")?.status == 404)
        #expect(
            measured.collector.call(
                WireRequest(method: "POST", authority: "a", path: "/metrics"))?.status == 405)
    }

    @Test("The log has a line of JSON for each event, with its level, and omits unwanted levels")
    func levels() throws {
        for (level, expected) in [
            (ServiceLog.Level.info, ["info", "warning", "error"]),
            (.warning, ["warning", "error"]), (.error, ["error"]),
        ] {
            let lines = Locked<[String]>([])
            let log = ServiceLog(level: level) { line in lines.change { $0.append(line) } }
            log.note("started", ["version": "a\nb"], level: .info)
            log.note("forbidden", ["reason": "x"])
            log.note("store-unavailable", level: .error)
            log.flush()
            let read = try lines.value.map { line in
                try #require(
                    JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            #expect(read.map { $0["level"] as? String } == expected)
            #expect(read.allSatisfy { $0["time"] is String && $0["event"] is String })
            #expect(lines.value.allSatisfy { !$0.contains("\n") })
            #expect(log.counts.values.count == 3, "all are counted")
        }
    }
}
