import Foundation
import Glibc
import TestSupport
import Testing

/// Real touch events through the locked-down session.
@Suite("A finger at the machine in the street", .serialized)
struct TouchTests {
    @Test("Two touches give a ticket and its receipt; the screen's code is the reservation's")
    func ticket() async throws {
        try await LockedSession.with { product, session in
            try await takeTicket(product, session)
            let codes = try await product.codes()
            let file = try await session.panel.picture("issued")
            #expect(try await Picture.entryCodes(inFile: file) == codes)
            #expect(try await eventually { try product.papers().count == 1 })
            #expect(try await session.isBackHome())
            #expect(try await product.reservations() == 1)
        }
    }

    @Test("A finger that slides off, a second finger and a long press do what a person expects")
    func gestures() async throws {
        try await LockedSession.with { product, session in
            let panel = session.panel
            // Down on the button, up beside it: no button is pressed.
            try panel.finger(.down, LockedSession.getTicket.x, LockedSession.getTicket.y)
            for step in 0...10 {
                try panel.finger(
                    .moves, LockedSession.getTicket.x + 0.028 * Double(step),
                    LockedSession.getTicket.y + 0.062 * Double(step))
                try await Task.sleep(for: .milliseconds(10))
            }
            try panel.finger(.up, LockedSession.nothing.x, LockedSession.nothing.y)
            try await Task.sleep(for: .seconds(1))
            #expect(try await session.isBackHome())
            #expect(try await product.holds() == 0)

            // A palm beside the finger: the first touch counts, once.
            try panel.finger(.down, LockedSession.getTicket.x, LockedSession.getTicket.y)
            try panel.finger(
                .down, LockedSession.deleteReservation.x, LockedSession.deleteReservation.y,
                number: 2)
            try panel.finger(
                .up, LockedSession.deleteReservation.x, LockedSession.deleteReservation.y,
                number: 2)
            try panel.finger(.up, LockedSession.getTicket.x, LockedSession.getTicket.y)
            #expect(try await eventually { try await product.holds() == 1 })
            try await Task.sleep(for: .seconds(1))

            // Ten touches a second at Confirm, the last one long, give one ticket.
            for _ in 0..<10 {
                try await panel.tap(LockedSession.confirm.x, LockedSession.confirm.y)
                try await Task.sleep(for: .milliseconds(70))
            }
            #expect(try await eventually { try await product.reservations() == 1 })
            #expect(try await session.isBackHome())
            // A long press is a touch and opens no menu.
            try panel.finger(.down, LockedSession.getTicket.x, LockedSession.getTicket.y)
            try await Task.sleep(for: .seconds(2))
            try panel.finger(.up, LockedSession.getTicket.x, LockedSession.getTicket.y)
            #expect(try await eventually { try await product.holds() == 1 })
            #expect(try await product.reservations() == 1)
        }
    }

    @Test(
        "The letters fill the panel, and nothing is drawn outside of it",
        arguments: [(1280, 800), (1920, 1080), (1080, 1920), (1024, 768)])
    func letters(width: Int, height: Int) async throws {
        try await TouchPanel.with(width: width, height: height) { panel in
            let program = try LockedSession.program(panel, "exec sleep 1000")
            try await LockedSession.running(program, on: panel) { session in
                // Wait until the window has its position and its size.
                let isThere = try await eventually {
                    try await panel.tool(
                        "xdotool", ["search", "--onlyvisible", "--class", "XTerm"]
                    ).status == 0
                }
                #expect(isThere)
                let text = try String(
                    contentsOfFile: session.panel.folder.file("run/panel"), encoding: .utf8)
                func number(after name: String, in text: String) -> Int {
                    text.split(separator: "\n").first { $0.hasPrefix(name) }
                        .flatMap { Int($0.dropFirst(name.count)) } ?? -1
                }
                func value(_ name: String) -> Int { number(after: "\(name) = ", in: text) }
                let found = try await session.panel.tool(
                    "xdotool",
                    ["search", "--onlyvisible", "--class", "XTerm", "getwindowgeometry", "--shell"])
                func geometry(_ name: String) -> Int {
                    number(after: "\(name)=", in: found.output)
                }
                #expect(geometry("X") == value("left") && geometry("Y") == value("top"))
                #expect(geometry("WIDTH") + 2 * value("left") <= width)
                #expect(geometry("HEIGHT") + 2 * value("top") <= height)
                // The remaining space is less than a cell.
                let cell = (
                    geometry("WIDTH") / value("columns"), geometry("HEIGHT") / value("rows")
                )
                #expect(geometry("WIDTH") + cell.0 + 2 > width)
                #expect(geometry("HEIGHT") + cell.1 + 2 > height)
            }
        }
    }

    @Test("Drawn frames notify the service manager; a program that hangs does not")
    func watchdog() async throws {
        try await LockedSession.with { product, session in
            #expect(await eventually { session.notices.messages().contains("WATCHDOG=1") })
            let kiosk = try #require(try await session.pid(of: "clup-kiosk"))
            kill(kiosk, SIGSTOP)
            _ = session.notices.messages()
            try await Task.sleep(for: .seconds(3))
            #expect(session.notices.messages().isEmpty)
            kill(kiosk, SIGCONT)
            #expect(await eventually { session.notices.messages().contains("WATCHDOG=1") })
            #expect(try await session.isBackHome())
        }
    }
}

@Suite("A program that is slow to start")
struct SlowStartTests {
    @Test("The service manager is asked for a longer start, and told when it is over")
    func slow() async throws {
        try await Product.with { product in
            let panel = try await TouchPanel(width: 1280, height: 800)
            let hold = panel.folder.file("hold")
            let kiosk = Tool.program("clup-kiosk")
            let program = try LockedSession.program(
                panel, "while [ -e '\(hold)' ]; do sleep 0.1; done; exec '\(kiosk)' \"$@\"")
            let session = try await LockedSession(
                panel, arguments: LockedSession.arguments(product), program: program)
            func hears(_ wanted: String) async -> Bool {
                await eventually {
                    session.notices.messages().contains { $0.contains(wanted) }
                }
            }
            try await ending(session, by: { await $0.end() }) { session in
                try await session.comeHome()
                #expect(await hears("WATCHDOG=1"))
                try "".write(toFile: hold, atomically: true, encoding: .utf8)
                kill(try #require(try await session.pid(of: "clup-kiosk")), SIGKILL)
                #expect(await hears("WATCHDOG_USEC=60000000"))
                // Longer than the unit's 2 s, in which nothing is drawn.
                try await Task.sleep(for: .seconds(3))
                #expect(session.notices.messages().allSatisfy { !$0.contains("READY=1") })
                try FileManager.default.removeItem(atPath: hold)
                #expect(await hears("WATCHDOG_USEC=2000000"))
                #expect(try await session.isBackHome())
            }
        }
    }
}

/// Takes a ticket by two touches from Home.
func takeTicket(_ product: Product, _ session: LockedSession) async throws {
    let before = try await product.reservations()
    // A program that has just restarted may not have answered its first touch.
    let isHeld = try await eventually {
        try await session.panel.tap(LockedSession.getTicket.x, LockedSession.getTicket.y)
        try await Task.sleep(for: .milliseconds(700))
        return try await product.holds() == 1
    }
    #expect(isHeld)
    // The offer is drawn when its answer has come: an earlier touch presses no button.
    let isIssued = try await eventually {
        try await session.panel.tap(LockedSession.confirm.x, LockedSession.confirm.y)
        try await Task.sleep(for: .milliseconds(300))
        return try await product.reservations() == before + 1
    }
    #expect(isIssued)
}
