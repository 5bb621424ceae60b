import BackendAPI
import Cryptography
import Foundation
import Glibc
import Reservations
import TestSupport
import Testing

@Suite("The program that opens and closes the doors", .serialized)
struct DoorCommandTests {
    /// A door that records its commands, and can be made to fail.
    private struct Controller {
        let folder: TemporaryFolder
        let program: String

        init() throws {
            folder = try TemporaryFolder()
            program = try folder.writeProgram(
                """
                #!/bin/sh
                ls /proc/self/fd | tr '\\n' ' ' > '\(folder.file("files"))'
                echo "$*" >> '\(folder.file("log"))'
                case "$1 $3 $(cat '\(folder.file("trouble"))' 2>/dev/null)" in
                "close door fails") exit 3 ;;
                "close door hangs")
                    sleep 600 &
                    echo $! > '\(folder.file("child"))'
                    wait ;;
                "open door leaves") sleep 600 & echo $! > '\(folder.file("child"))' ;;
                esac

                """, to: "controller")
        }

        var log: [String] {
            let text = try? String(contentsOfFile: folder.file("log"), encoding: .utf8)
            return (text ?? "").split(separator: "\n").map(String.init)
        }

        /// The kind is "fails", "hangs", "leaves", or empty.
        func trouble(_ kind: String) throws { _ = try folder.write(kind.utf8, to: "trouble") }

        /// The process that the controller started itself; nil before.
        var child: pid_t? {
            (try? String(contentsOfFile: folder.file("child"), encoding: .utf8))
                .flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
    }

    /// A shop with a machine and readers at its doors.
    private struct Shop {
        let backend: ServingBackend
        let machine: ServedMachine
        let doors: [String: ServedMachine]

        /// - Parameter database: the address of an empty database of PostgreSQL; nil for a file.
        static func with(
            _ controller: Controller, doors names: [String] = ["door"], database: String? = nil,
            body: (Shop) async throws -> Void
        ) async throws {
            try await ServingBackend.withMachines(
                1, database: database, options: ["--door-command", controller.program]
            ) { backend, keys in
                var doors: [String: ServedMachine] = [:]
                for name in names {
                    let key = try SigningKey.generate()
                    _ = try await backend.addDevice(
                        role: "entrance", name: name, key: key.publicKey.text)
                    doors[name] = ServedMachine(key)
                }
                try await body(
                    Shop(backend: backend, machine: ServedMachine(keys[0]), doors: doors))
            }
        }

        /// Lets a customer in at a door and returns the ticket's number.
        func pass(_ name: String = "door", at server: ServingBackend? = nil) async throws -> String
        {
            let ticket = try await machine.ticket(at: backend)
            let door = try #require(doors[name])
            var passage: Passage?
            // The backend knows a key within a second after it was added.
            _ = await patiently {
                passage = try await door.call(
                    .entries, #"{"code":"\#(ticket.code.rawValue)"}"#, at: server ?? backend)
                return true
            }
            return try #require(passage).number.text
        }

        /// The doors that are reported to the staff at the machine.
        func reported() async throws -> [String]? {
            let reply: StaffQueue = try await machine.call(.staffQueue, "", at: backend)
            return reply.doorsNotClosed
        }

        /// Whether the server's log says that the door could not be closed, with this reason.
        func logged(_ reason: String) throws -> Bool {
            try backend.log().split(separator: "\n").contains {
                $0.contains("door-not-closed") && $0.contains("\"door\"") && $0.contains(reason)
            }
        }
    }

    @Test(
        "A close that fails or hangs is logged, reported to the staff and retried until it succeeds",
        arguments: [("fails", "\"failed\""), ("hangs", "\"took-too-long\"")])
    func notClosed(trouble: String, reason: String) async throws {
        let controller = try Controller()
        try await Shop.with(controller, doors: ["door", "other"]) { shop in
            try controller.trouble(trouble)
            let number = try await shop.pass()
            #expect(await eventually { controller.log.contains("close entrance door") })
            #expect(controller.log == ["open entrance door \(number)", "close entrance door"])
            // Another door opens and closes meanwhile.
            let other = try await shop.pass("other")
            #expect(await eventually { controller.log.contains("close entrance other") })
            #expect(controller.log.contains("open entrance other \(other)"))
            if trouble == "hangs" {
                #expect(
                    controller.log.count { $0 == "close entrance door" } == 1,
                    "the other one waited for the one that hangs")
            }
            #expect(await patiently { try await shop.reported() == ["door"] })
            // The log is written beside the report, and later on a busy computer.
            #expect(try await eventually { try shop.logged(reason) })
            if trouble == "hangs" {
                let child = try #require(controller.child)
                #expect(
                    await eventually { kill(child, 0) != 0 }, "the process that it started runs on")
            }
            try controller.trouble("")
            #expect(await patiently { try await shop.reported() == [] })
            #expect(controller.log.count { $0 == "close entrance door" } >= 2)
        }
    }

    @Test("A door that a killed server left open is closed by the server that starts again")
    func killed() async throws {
        let controller = try Controller()
        try await Shop.with(controller, doors: ["door", "other"]) { shop in
            let number = try await shop.pass()
            #expect(await eventually { controller.log == ["open entrance door \(number)"] })
            let files = try String(contentsOfFile: controller.folder.file("files"), encoding: .utf8)
            #expect(
                files == "0 1 2 3 ",
                "a file of the server's is open in the program, beside the list's own")
            shop.backend.signal(SIGKILL)
            let reported = controller.log
            try await shop.backend.killAndRestart()
            #expect(
                await eventually {
                    Set(controller.log.dropFirst(reported.count)) == [
                        "close entrance door", "close entrance other",
                    ]
                }, "\(reported) \(controller.log)")
        }
    }

    @Test("Before a server ends it closes its doors; a program may leave another one running")
    func stopped() async throws {
        let controller = try Controller()
        try await Shop.with(controller) { shop in
            try controller.trouble("leaves")
            let number = try await shop.pass()
            await shop.backend.drain()
            #expect(
                controller.log == ["open entrance door \(number)", "close entrance door"])
            #expect(try !shop.backend.log().contains("took-too-long"))
            let child = try #require(controller.child)
            #expect(kill(child, 0) == 0)
            kill(child, SIGKILL)
            try await shop.backend.start()
        }
    }

    @Test("Of two servers the one that is asked opens; if it is killed the other one closes")
    func twoServers() async throws {
        let (first, second) = (try Controller(), try Controller())
        let place = try PostgresServer.shared().database()
        try await Shop.with(first, database: place) { shop in
            try await shop.backend.withAnother(
                options: ["--door-command", second.program]
            ) { another in
                // Every server closes the doors that it knows when it starts.
                #expect(await eventually { second.log == ["close entrance door"] })
                let number = try await shop.pass(at: another)
                #expect(
                    await eventually {
                        second.log.dropFirst() == [
                            "open entrance door \(number)", "close entrance door",
                        ]
                    })
                // The other server was notified, and opens nothing.
                #expect(await eventually { first.log == ["close entrance door"] })
                _ = try await shop.pass(at: another)
                #expect(await eventually { second.log.count == 4 })
                // The notification to the other server takes about 10 ms; the door is open for 5 s.
                try await ContinuousClock().sleep(for: .seconds(2))
                another.signal(SIGKILL)
                #expect(
                    await eventually {
                        first.log == ["close entrance door", "close entrance door"]
                    })
            }
        }
    }
}
