import Foundation
import TestSupport
import Testing

/// What of the lock-down the kernel, systemd and an X server on a real terminal act on, which are not
/// here: the shipped lines are held to this list. `PackageTests` asks systemd what it makes of them.
@Suite("Each line of the lock-down that only a real machine acts on")
struct ConfigurationTests {
    /// By file under Kiosk/debian: the lines without which a way out, or a standstill, is open.
    private static let needed = [
        "conf/sysctl.conf": """
        kernel.sysrq = 0
        kernel.core_pattern = |/bin/false
        fs.suid_dumpable = 0
        """,
        "conf/logind.conf": """
        NAutoVTs=0
        ReserveVT=0
        HandlePowerKey=poweroff
        HandleSuspendKey=ignore
        HandleHibernateKey=ignore
        """,
        "conf/system.conf": """
        RuntimeWatchdogSec=30s
        RebootWatchdogSec=2min
        CtrlAltDelBurstAction=none
        DumpCore=no
        """,
        "conf/xorg.conf": """
        Option "DontVTSwitch" "true"
        Option "DontZap" "true"
        Option "BlankTime" "0"
        Option "StandbyTime" "0"
        Option "SuspendTime" "0"
        Option "OffTime" "0"
        MatchIsKeyboard "true"
        Option "XkbLayout" "us"
        Option "XkbOptions" "srvrkeys:none"
        """,
        "units/clup-xorg.service": """
        Conflicts=getty@tty1.service plymouth-quit.service
        StartLimitIntervalSec=0
        ExecStart=/usr/lib/xorg/Xorg :0 vt1 -novtswitch -nolisten tcp -noreset -nocursor -background none -s 0 -dpms -auth /run/clup-screen/authority -logfile /run/clup-screen/Xorg.log
        RuntimeDirectoryMode=0755
        Restart=always
        RestartSec=500ms
        TTYPath=/dev/tty1
        StandardInput=tty-fail
        TTYReset=yes
        TTYVTDisallocate=yes
        LimitCORE=0
        LimitNOFILE=1024
        MemoryMax=512M
        TasksMax=64
        NoNewPrivileges=yes
        ProtectSystem=strict
        ProtectHome=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        ProtectHostname=yes
        RestrictSUIDSGID=yes
        RestrictNamespaces=yes
        LockPersonality=yes
        RestrictAddressFamilies=AF_UNIX AF_NETLINK
        IPAddressDeny=any
        ReadWritePaths=/tmp
        SystemCallArchitectures=native
        """,
        "units/clup-kiosk.service": """
        StartLimitIntervalSec=0
        ExecStart=/usr/lib/clup/kiosk-session
        Environment=DISPLAY=:0 XAUTHORITY=/run/clup-screen/authority HOME=/var/lib/clup-kiosk
        Environment=SWIFT_BACKTRACE=enable=no
        User=clup-kiosk
        Group=clup-kiosk
        WatchdogSec=15
        Restart=always
        RestartSec=1
        MemoryHigh=200M
        MemoryMax=300M
        TasksMax=64
        LimitNOFILE=1024
        LimitNICE=-20
        LimitCORE=0
        LimitMEMLOCK=8M
        OOMPolicy=stop
        StateDirectoryMode=0700
        UMask=0077
        CapabilityBoundingSet=
        AmbientCapabilities=
        NoNewPrivileges=yes
        ProtectSystem=strict
        ProtectHome=yes
        ProtectProc=invisible
        ProcSubset=pid
        ProtectClock=yes
        ProtectKernelTunables=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        ProtectHostname=yes
        PrivateTmp=yes
        BindReadOnlyPaths=-/tmp/.X11-unix
        PrivateUsers=yes
        PrivateMounts=yes
        RemoveIPC=yes
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged @resources
        SystemCallFilter=setuid setgid setpriority
        SystemCallErrorNumber=EPERM
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        DevicePolicy=closed
        DeviceAllow=char-pts rw
        DeviceAllow=char-ttyACM rw
        DeviceAllow=char-ttyUSB rw
        DeviceAllow=char-input r
        DeviceAllow=char-alsa rw
        IPAddressDeny=any
        IPAddressAllow=localhost
        """,
        "units/clup-web-terminal.service": """
        Conflicts=clup-kiosk.service
        StartLimitIntervalSec=0
        ExecStart=/usr/lib/clup/web-session
        Environment=DISPLAY=:0 XAUTHORITY=/run/clup-screen/authority HOME=/var/lib/clup-web-terminal
        User=clup-web
        Group=clup-web
        WatchdogSec=60
        Restart=always
        RestartSec=1
        MemoryHigh=1200M
        MemoryMax=1500M
        TasksMax=512
        LimitCORE=0
        StateDirectoryMode=0700
        UMask=0077
        CapabilityBoundingSet=
        NoNewPrivileges=yes
        ProtectSystem=strict
        ProtectHome=yes
        ProtectClock=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        ProtectHostname=yes
        PrivateTmp=yes
        BindReadOnlyPaths=-/tmp/.X11-unix
        RemoveIPC=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        SystemCallArchitectures=native
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        """,
    ]

    /// What a line without a part in the lock-down begins with.
    private static let other = [
        "#", "[", "Section", "EndSection", "Identifier",
        "After=", "Also=", "ConditionPathExists=", "Description=", "Documentation=",
        "EnvironmentFile=", "ExecStartPre=", "NotifyAccess=", "Requires=", "RuntimeDirectory=",
        "RuntimeDirectoryPreserve=", "StandardError=", "StandardOutput=", "StateDirectory=",
        "SupplementaryGroups=",
        "TimeoutStartSec=", "TimeoutStopSec=", "Type=", "WantedBy=", "Wants=",
    ]

    private static func lines(_ text: String) -> [String] {
        text.replacing("\\\n    ", with: "").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    private static func missing(_ needed: String, in lines: [String]) -> [String] {
        Self.lines(needed).filter { !lines.contains($0) }
    }

    @Test(
        "What the power button needs is installed with the X server's package: logind speaks D-Bus")
    func powerButton() throws {
        let control = try String(
            contentsOf: Command.repository.appending(path: "Kiosk/debian/control"), encoding: .utf8)
        let screen = try #require(
            control.components(separatedBy: "\n\n").first { $0.hasPrefix("Package: clup-screen\n") }
        )
        #expect(screen.contains("Depends: dbus,\n"))
    }

    @Test(
        "Nothing is missing, and whatever line is taken out is missed",
        arguments: needed.keys.sorted())
    func complete(file: String) throws {
        let needed = try #require(Self.needed[file])
        let shipped = Self.lines(
            try String(
                contentsOf: Command.repository.appending(path: "Kiosk/debian/\(file)"),
                encoding: .utf8))
        #expect(Self.missing(needed, in: shipped) == [])
        for line in shipped where !line.isEmpty && !Self.other.contains(where: line.hasPrefix) {
            #expect(Self.missing(needed, in: shipped.filter { $0 != line }) == [line])
        }
    }
}
