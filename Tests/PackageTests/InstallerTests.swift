import Foundation
import TestSupport
import Testing

@Suite("A new installation: packages, setup, a ticket and its receipt", .serialized)
struct InstallerTests {
    private static let asBackend =
        "setpriv --reuid clup-backend --regid clup-backend --clear-groups clup-backend"
    private static let database = "--database /var/lib/clup-backend/backend.sqlite"

    @Test("From a fresh Debian to a printed receipt, and out of use again")
    func whole() async throws {
        try await DemoPrinter.with { printer in
            try await FreshDebian.installed { debian in
                // Debian's own cupsd runs as it is installed; the printer is on the network.
                let cups = try await debian.start("cupsd -f", ready: "lpstat -r")
                let shop = try await openShop(in: debian)
                let backend = try await debian.start(
                    "\(Self.asBackend) serve \(Self.database) --listen 127.0.0.1:0 >/tmp/serve",
                    ready: "grep -q listening /tmp/serve")
                try await setUp(debian, printer, shop: shop)
                #expect(try printer.papers().count == 1)
                try await ticket(debian)
                let isOut = try await eventually {
                    try printer.papers().count == 2
                }
                #expect(isOut)
                let paper = try #require(try printer.papers().last)
                let text = try await Tool.succeed("pdftotext", ["-layout", paper, "-"])
                #expect(text.contains("Prova") && text.contains("001"))

                let wiped = try await debian.succeed("clup-kiosk wipe --yes")
                #expect(wiped.contains("machine revoke"))
                #expect(try await debian.succeed("ls -A /var/lib/clup-kiosk").isEmpty)
                try await debian.succeed("kill \(cups) \(backend)")
            }
        }
    }

    private func openShop(in debian: FreshDebian) async throws -> String {
        struct Line: Decodable { let shop: String }
        let zone = ServingBackend.byDay
        let line = try await debian.succeed(
            "\(Self.asBackend) shop add \(Self.database) --name Prova --tag PROV --time-zone \(zone) "
                + "--hours 'Mon-Sun 00:00-24:00' --capacity 10 --stay 10 --languages en")
        return try JSONDecoder().decode(Line.self, from: Data(line.utf8)).shop
    }

    /// Runs `clup-kiosk setup --file`, pairs by the code that it shows, and checks that doctor finds nothing wrong.
    private func setUp(
        _ debian: FreshDebian, _ printer: DemoPrinter, shop: String
    ) async throws {
        struct Line: Decodable { let listening: String }
        let address = try JSONDecoder().decode(
            Line.self, from: Data(try await debian.succeed("cat /tmp/serve").utf8)
        ).listening
        try await debian.succeed(
            """
            cat >/root/answers <<END
            backend = \(address)
            printer-device = \(printer.description.printer)
            languages = en
            manager = Giulia
            manager-pin = 739146
            END
            """)
        async let setup = debian.run("clup-kiosk setup --file /root/answers >/tmp/setup 2>&1")
        var code = ""
        let isShown = try await eventually(within: .seconds(60)) {
            code = try await debian.succeed(
                "sed -n 's/.*--code //p' /tmp/setup 2>/dev/null || true"
            )
            .trimmingCharacters(in: .whitespacesAndNewlines)
            return !code.isEmpty
        }
        #expect(isShown)
        try await debian.succeed(
            "\(Self.asBackend) machine pair \(Self.database) --shop \(shop) --name door --code \(code)"
        )
        let result = try await setup
        let said = try await debian.succeed("cat /tmp/setup")
        #expect(result.status == 0, "\(said)")
        for line in [
            "Receipt: a TEST paper is printed.", "ok backend: Prova, machine door",
            "ok printer: Receipt",
            "The machine starts with the computer.",
        ] { #expect(said.contains(line), "\(said)") }
        #expect(!said.contains("WRONG"))
        #expect(
            try await debian.succeed("stat -c %U /var/lib/clup-kiosk/machine-key.sealed")
                == "clup-kiosk\n")
        #expect(try await debian.succeed("systemctl is-enabled clup-kiosk") == "enabled\n")
        let allowed = "/etc/systemd/system/clup-kiosk.service.d/50-addresses.conf"
        #expect(try await debian.succeed("cat \(allowed)").contains("[Service]"))
    }

    private func ticket(_ debian: FreshDebian) async throws {
        let command = debian.command(
            "setpriv --reuid clup-kiosk --regid clup-kiosk --init-groups clup-kiosk run")
        try await TmuxTerminal.with(columns: 80, rows: 25, command: command) { screen in
            try await screen.shows("how long you still have to wait", within: .seconds(60))
            try await screen.press("Enter")
            try await screen.shows("Time left", within: .seconds(20))
            try await screen.press("Enter")
            try await screen.shows("Take your ticket", within: .seconds(20))
        }
    }
}
