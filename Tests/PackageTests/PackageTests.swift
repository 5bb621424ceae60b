import TestSupport
import Testing

@Suite("Packages", .serialized)
struct PackageTests {
    private static let names = ["clup-backend", "clup-kiosk", "clup-screen", "clup-web-terminal"]

    @Test("lintian finds no fault, and no package takes more than 60 MiB")
    func wellMade() async throws {
        let folder = try await Packages.built.value
        let files = try Packages.files(folder).map { "\(folder)/\($0)" }
        #expect(files.count == Self.names.count)
        let result = try await Tool.run(
            "lintian", ["--allow-root", "--fail-on", "error,warning"] + files)
        #expect(result.status == 0, "\(result.output)")
        for file in files {
            let size = try await Tool.succeed("dpkg-deb", ["--field", file, "Installed-Size"])
            let kibibytes = try #require(
                Int(size.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(kibibytes <= 60 * 1024, "\(file)")
        }
    }

    @Test(
        "Installed on a fresh Debian, all files are there, the power button's too, and nothing runs before setup"
    )
    func install() async throws {
        try await FreshDebian.installed { debian in
            for name in Self.names {
                let status = try await debian.succeed("dpkg-query -W -f '${Status}' \(name)")
                #expect(status == "install ok installed")
            }
            // Dependencies are declared, so every library is found.
            for program in ["clup-kiosk", "clup-backend"] {
                #expect(try await debian.succeed("\(program) --version").hasPrefix(program))
                #expect(
                    !(try await debian.succeed("ldd /usr/bin/\(program)")).contains("not found"))
                #expect(try await debian.succeed("man \(program)").contains("DESCRIPTION"))
                let completed = try await debian.succeed(
                    """
                    bash -c '. /usr/share/bash-completion/completions/\(program)
                    COMP_WORDS=(\(program) ""); COMP_CWORD=1
                    $(complete -p \(program) | sed "s/.*-F \\([^ ]*\\).*/\\1/"); echo "${COMPREPLY[@]}"'
                    """)
                #expect(completed.contains(program == "clup-kiosk" ? "doctor" : "serve"))
            }
            #expect(
                try await debian.run("ls /etc/systemd/system/*.wants | grep clup").output.isEmpty)
            // The machine's clock can be moved in programs for tests only.
            #expect(
                try await debian.run("grep -q \(KioskClock.variable) /usr/bin/clup-kiosk").status
                    == 1)
            // CUPS runs the ESC/POS backend as user lp if other users may execute it.
            let backend = try await debian.succeed("stat -c '%U %a' /usr/lib/cups/backend/escpos")
            #expect(backend == "root 755\n")
            #expect(
                try await debian.succeed("ls /usr/share/ppd/clup").split(separator: "\n") == [
                    "clup-escpos-58-mute.ppd", "clup-escpos-58.ppd", "clup-escpos-80-mute.ppd",
                    "clup-escpos-80.ppd",
                ])
            // The power button needs logind, and the bus to it.
            for file in [
                "/usr/bin/dbus-daemon", "/lib/systemd/system/sockets.target.wants/dbus.socket",
                "/lib/systemd/system/multi-user.target.wants/systemd-logind.service",
                "/lib/systemd/system/dbus-org.freedesktop.login1.service",
                "/usr/share/dbus-1/system.d/org.freedesktop.login1.conf",
            ] { try await debian.succeed("test -e \(file)") }
            #expect(
                try await debian.succeed("systemd-analyze cat-config systemd/logind.conf")
                    .contains("HandlePowerKey=poweroff"))
            // The user that runs the machine's program makes its key.
            let key = try await debian.succeed(
                "setpriv --reuid clup-kiosk --regid clup-kiosk --clear-groups clup-kiosk enrol")
            #expect(key.trimmingCharacters(in: .whitespacesAndNewlines).count == 43)
        }
    }

    @Test("None of our users has a shell, a password or a login")
    func noShell() async throws {
        try await FreshDebian.installed { debian in
            for user in ["clup-kiosk", "clup-backend", "clup-web"] {
                #expect(
                    try await debian.succeed("getent passwd \(user)").hasSuffix(
                        "/usr/sbin/nologin\n"))
                let password = try await debian.succeed("getent shadow \(user) | cut -d: -f2")
                #expect(password.hasPrefix("!") || password.hasPrefix("*"))
                let home = try await debian.succeed("getent passwd \(user) | cut -d: -f6")
                let mode = try await debian.succeed("stat -c '%a %U' \(home)")
                #expect(mode == "700 \(user)\n")
            }
            // Ctrl-Alt-Del, SysRq and other terminals are closed.
            #expect(
                try await debian.succeed("readlink /etc/systemd/system/ctrl-alt-del.target")
                    == "/dev/null\n")
            // If a condition of a unit fails, systemd does not start it.
            let logins = try await debian.succeed(
                "cd /lib/systemd/system && cat getty-static.service getty-static.service.d/*")
            let conditions = logins.split(separator: "\n").filter { $0.hasPrefix("Condition") }
            #expect(conditions.contains("ConditionPathExists=!/"))
            #expect(
                try await debian.succeed("cat /usr/lib/sysctl.d/*clup.conf").contains(
                    "kernel.sysrq = 0\n"))
            #expect(
                try await debian.succeed("systemd-analyze cat-config systemd/logind.conf")
                    .contains("\nNAutoVTs=0\n"))
        }
    }

    @Test(
        "An upgrade and a removal keep configuration and data; a purge deletes both"
    )
    func lifeCycle() async throws {
        try await FreshDebian.with { debian in
            let before = try await debian.contents()
            try await debian.install()
            try await debian.succeed(
                """
                echo 'printer = Receipt' >>/etc/clup/kiosk.conf
                echo kept >/var/lib/clup-kiosk/journal.sqlite
                echo kept >/var/lib/clup-backend/backend.sqlite
                """)
            // The next version has the same files and a higher number.
            try await debian.succeed(
                """
                mkdir /tmp/next
                for file in /packages/*.deb; do
                    dpkg-deb -R "$file" /tmp/next/tree
                    sed -i -e 's/^Version: .*/&+next/' -e 's/(= \\([^)]*\\))/(= \\1+next)/g' \
                        /tmp/next/tree/DEBIAN/control
                    dpkg-deb -b /tmp/next/tree "/tmp/next/$(basename "$file")" >/dev/null
                    rm -r /tmp/next/tree
                done
                dpkg -i --force-depends /tmp/next/*.deb
                rm -r /tmp/next
                """)
            #expect(
                try await debian.succeed("dpkg-query -W -f '${Version}' clup-kiosk").hasSuffix(
                    "+next"))
            #expect(try await debian.succeed("cat /etc/clup/kiosk.conf").contains("Receipt"))
            #expect(try await debian.succeed("cat /var/lib/clup-kiosk/journal.sqlite") == "kept\n")

            try await debian.succeed("dpkg --remove \(Self.names.joined(separator: " "))")
            #expect(try await debian.run("ls /usr/bin/clup-* /usr/lib/clup").status != 0)
            #expect(try await debian.succeed("cat /etc/clup/kiosk.conf").contains("Receipt"))
            #expect(
                try await debian.succeed("cat /var/lib/clup-backend/backend.sqlite") == "kept\n")

            try await debian.succeed("dpkg --purge \(Self.names.joined(separator: " "))")
            let after = try await debian.contents()
            #expect(after.subtracting(before).sorted() == [])
            #expect(before.subtracting(after).sorted() == [])
        }
    }

    @Test("systemd accepts every unit")
    func units() async throws {
        try await FreshDebian.installed { debian in
            let units = try await debian.succeed(
                "ls /lib/systemd/system | grep '^clup-' | grep -v '[.]d$'"
            )
            .split(separator: "\n").map(String.init)
            #expect(units.count >= 9 && units.contains("clup-backend@.service"))
            // cups and network-online are units of other packages or of the manager.
            for unit in units {
                let result = try await debian.run(
                    "systemd-analyze verify --man=no /lib/systemd/system/\(unit) 2>&1")
                let ours = result.output.split(separator: "\n").filter { $0.contains("clup") }
                #expect(result.status == 0 && ours.isEmpty, "\(unit): \(result.output)")
            }
        }
    }

    @Test(
        "The exposure that systemd computes stays low",
        arguments: [
            ("clup-backend", 20), ("clup-kiosk", 40), ("clup-kiosk-queues", 20),
            ("clup-kiosk-stick@", 40), ("clup-web-terminal", 50), ("clup-xorg", 70),
        ])
    func exposure(unit: String, limit: Int) async throws {
        let file = Tool.repository.appending(path: "Kiosk/debian/units/\(unit).service").path
        // The threshold is in tenths; above it the command fails (systemd-analyze(1)).
        let result = try await Tool.run(
            "systemd-analyze", ["security", "--offline=true", "--threshold=\(limit)", file])
        #expect(result.status == 0, "\(result.output.suffix(200))")
    }

    @Test("The machine may connect to its backend, its printer and the resolver only")
    func addresses() async throws {
        try await FreshDebian.installed { debian in
            try await debian.succeed(
                """
                echo '192.0.2.7 queue.example.it' >>/etc/hosts
                echo 'nameserver 192.0.2.53' >/etc/resolv.conf
                echo 'backend = https://queue.example.it:8443,https://[2001:db8::5]:8443' >>/etc/clup/kiosk.conf
                """)
            let text = try await debian.succeed("/usr/lib/clup/kiosk-addresses")
            let allowed = text.split(separator: "\n").filter { $0.hasPrefix("IPAddressAllow=") }
            #expect(
                allowed.sorted() == [
                    "IPAddressAllow=192.0.2.53", "IPAddressAllow=192.0.2.7",
                    "IPAddressAllow=2001:db8::5",
                ])
        }
    }
}
