import TestSupport
import Testing

/// Settings of the lock-down that only the kernel, systemd and an X server on a real terminal act on, none of which
/// this test has. `PackageTests` asks systemd to verify the units.
@Suite("The lock-down that only a real machine acts on")
struct SessionConfigurationTests {
    /// A way out of the kiosk, or a way to stop it, and the settings that prevent it.
    struct Defence: CustomTestStringConvertible, Sendable {
        let against: String
        /// Paths under Kiosk/debian.
        let files: [String]
        let lines: [String]
        var testDescription: String { against }

        init(_ against: String, _ files: [String], _ lines: String) {
            self.against = against
            self.files = files
            self.lines = SessionConfigurationTests.lines(lines)
        }
    }

    private static let kiosk = "units/clup-kiosk.service"
    private static let web = "units/clup-web-terminal.service"
    private static let screen = "units/clup-xorg.service"

    static let defences = [
        Defence(
            "Keys reach the kernel, or its dumps hold what was in memory", ["conf/sysctl.conf"],
            """
            kernel.sysrq = 0
            kernel.core_pattern = |/bin/false
            fs.suid_dumpable = 0
            """),
        Defence(
            "A text console has a log-in, or a key suspends the machine", ["conf/logind.conf"],
            """
            NAutoVTs=0
            ReserveVT=0
            HandlePowerKey=poweroff
            HandleSuspendKey=ignore
            HandleHibernateKey=ignore
            """),
        Defence(
            "Ctrl+Alt+Del restarts the machine, or a system that hangs stays so",
            ["conf/system.conf"],
            """
            RuntimeWatchdogSec=30s
            RebootWatchdogSec=2min
            CtrlAltDelBurstAction=none
            DumpCore=no
            """),
        Defence(
            // What keeps its screen and its keys is tried with a real one.
            "Keys of a keyboard do something else at the X server", ["conf/xorg.conf"],
            """
            MatchIsKeyboard "true"
            Option "XkbLayout" "us"
            Option "XkbOptions" "srvrkeys:none"
            """),
        Defence(
            "The X server is open to others, or gives its terminal to a log-in", [screen],
            """
            Conflicts=getty@tty1.service plymouth-quit.service
            ExecStart=/usr/lib/xorg/Xorg :0 vt1 -novtswitch -nolisten tcp -noreset -nocursor -background none -s 0 -dpms -auth /run/clup-screen/authority -logfile /run/clup-screen/Xorg.log
            RuntimeDirectoryMode=0755
            TTYPath=/dev/tty1
            StandardInput=tty-fail
            TTYReset=yes
            TTYVTDisallocate=yes
            RestrictAddressFamilies=AF_UNIX AF_NETLINK
            ReadWritePaths=/tmp
            RestrictNamespaces=yes
            """),
        Defence(
            "A program that ends, or hangs, is not started again", [kiosk, web, screen],
            "Restart=always\nStartLimitIntervalSec=0"),
        Defence("The kiosk hangs", [kiosk], "WatchdogSec=15\nRestartSec=1\nOOMPolicy=stop"),
        Defence("The browser hangs", [web], "WatchdogSec=60\nRestartSec=1"),
        Defence("The screen stays dark", [screen], "RestartSec=500ms"),
        Defence(
            "A program that was taken over gets further in the system", [kiosk, web, screen],
            """
            NoNewPrivileges=yes
            ProtectSystem=strict
            ProtectHome=yes
            ProtectKernelModules=yes
            ProtectKernelLogs=yes
            ProtectControlGroups=yes
            ProtectHostname=yes
            RestrictSUIDSGID=yes
            LockPersonality=yes
            SystemCallArchitectures=native
            LimitCORE=0
            """),
        Defence(
            "A session that was taken over has rights or sees others' files", [kiosk, web],
            """
            StateDirectoryMode=0700
            UMask=0077
            CapabilityBoundingSet=
            ProtectClock=yes
            PrivateTmp=yes
            BindReadOnlyPaths=-/tmp/.X11-unix
            RemoveIPC=yes
            RestrictRealtime=yes
            RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
            """),
        Defence(
            "The kiosk reaches devices, processes or calls that it does not need", [kiosk],
            """
            ExecStart=/usr/lib/clup/kiosk-session
            Environment=DISPLAY=:0 XAUTHORITY=/run/clup-screen/authority HOME=/var/lib/clup-kiosk
            User=clup-kiosk
            Group=clup-kiosk
            AmbientCapabilities=
            ProtectProc=invisible
            ProcSubset=pid
            ProtectKernelTunables=yes
            PrivateUsers=yes
            PrivateMounts=yes
            RestrictNamespaces=yes
            MemoryDenyWriteExecute=yes
            SystemCallFilter=@system-service
            SystemCallFilter=~@privileged @resources
            SystemCallFilter=setuid setgid setpriority
            SystemCallErrorNumber=EPERM
            DevicePolicy=closed
            DeviceAllow=char-pts rw
            DeviceAllow=char-ttyACM rw
            DeviceAllow=char-ttyUSB rw
            DeviceAllow=char-input r
            DeviceAllow=char-alsa rw
            Environment=SWIFT_BACKTRACE=enable=no
            """),
        Defence(
            "The kiosk or the X server calls the network", [kiosk, screen], "IPAddressDeny=any"),
        Defence("The kiosk has no loopback", [kiosk], "IPAddressAllow=localhost"),
        Defence(
            "The kiosk takes the memory or the files that others need", [kiosk],
            """
            MemoryHigh=200M
            MemoryMax=300M
            TasksMax=64
            LimitNOFILE=1024
            LimitNICE=-20
            LimitMEMLOCK=8M
            """),
        Defence(
            "The X server takes the memory or the files that others need", [screen],
            "MemoryMax=512M\nTasksMax=64\nLimitNOFILE=1024"),
        Defence(
            "The browser takes the memory that others need, or runs as another user or beside the kiosk",
            [web],
            """
            Conflicts=clup-kiosk.service
            ExecStart=/usr/lib/clup/web-session
            Environment=DISPLAY=:0 XAUTHORITY=/run/clup-screen/authority HOME=/var/lib/clup-web-terminal
            User=clup-web
            Group=clup-web
            MemoryHigh=1200M
            MemoryMax=1500M
            TasksMax=512
            """),
    ]

    private static func shipped(_ file: String) throws -> String {
        try String(
            contentsOf: Tool.repository.appending(path: "Kiosk/debian/\(file)"), encoding: .utf8)
    }

    private static func lines(_ text: String) -> [String] {
        text.replacing("\\\n    ", with: "").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    @Test("What keeps customers in the kiosk, and it running, is there", arguments: defences)
    func closed(_ defence: Defence) throws {
        for file in defence.files {
            let shipped = Self.lines(try Self.shipped(file))
            let missing = defence.lines.filter { !shipped.contains($0) }
            #expect(missing.isEmpty, "\(file)")
        }
    }

    @Test("A setting of the lock-down is not undone by a later line of the same file")
    func undone() throws {
        // For other settings a later line replaces an earlier one; these collect their values (systemd.exec(5)).
        let collecting = [
            "ExecStart", "Environment", "SystemCallFilter", "DeviceAllow", "Option", "After",
            "ExecStartPre", "MatchIsKeyboard", "Identifier", "SupplementaryGroups",
        ]
        for file in Set(Self.defences.flatMap(\.files)) where file.hasSuffix(".service") {
            let shipped = Self.lines(try Self.shipped(file))
            let names = shipped.compactMap { line in
                line.contains("=") && !line.hasPrefix("#") ? line.split(separator: "=").first : nil
            }.map(String.init).filter { !collecting.contains($0) }
            let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }
            #expect(twice.isEmpty, "\(file)")
        }
    }

    @Test("The X server's package depends on what the power button needs: logind speaks D-Bus")
    func powerButton() throws {
        let control = try Self.shipped("control")
        let screen = try #require(
            control.components(separatedBy: "\n\n").first { $0.hasPrefix("Package: clup-screen\n") }
        )
        #expect(screen.contains("Depends: dbus,\n"))
    }
}
