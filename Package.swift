// swift-tools-version: 6.2
import PackageDescription

// The manifest is the architecture: every allowed import is a line of this file. The folders of
// Sources are the layers; Sources/README.md says what each target is.

/// Set with CLUP_FUZZ=1, as `Tests/fuzz` does: code counts its branches for libFuzzer.
let isFuzzing = Context.environment["CLUP_FUZZ"] == "1"

let swift: [SwiftSetting] =
    [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        // A module compiled as a whole takes less time than its files one after the other, and the index of a build, in
        // which SwiftPM finds tests, needs no modules of the system: together a third of the time of a build.
        .unsafeFlags(
            [
                "-wmo", "-num-threads", "2", "-index-ignore-system-modules",
                "-index-ignore-clang-modules",
            ],
            .when(configuration: .debug)),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])

/// Set with CLUP_UNOPTIMISED=1, as `Kiosk/build --unoptimised` does: nothing is optimised, to be built soon.
let isUnoptimised = Context.environment["CLUP_UNOPTIMISED"] == "1"

/// What a target is optimised for, unless it is the speed of the program alone.
enum Optimisation {
    /// Its speed also in tests, which go through all possibilities, such as every screen in every language at every
    /// size.
    case testsToo
    /// The size of the program: it runs a few times per touch or command.
    case size
    /// The size of the program, and the speed of tests, which play thousands of paths.
    case sizeAndTests

    var settings: [SwiftSetting] {
        switch self {
        case .testsToo where isFuzzing || isUnoptimised: []
        case .testsToo: [.unsafeFlags(["-O"], .when(configuration: .debug))]
        case .size: [.unsafeFlags(["-Osize"], .when(configuration: .release))]
        case .sizeAndTests: Self.size.settings + Self.testsToo.settings
        }
    }
}

/// A target that only decides: no file, clock, socket, randomness or C.
func pure(
    _ name: String, in layer: String, _ imports: [Target.Dependency] = [],
    for optimisation: Optimisation? = nil
) -> Target {
    .target(
        name: name, dependencies: imports, path: "Sources/\(layer)/\(name)",
        swiftSettings: swift + (optimisation?.settings ?? []))
}

/// A target that touches one part of the outside world and decides nothing.
func adapter(
    _ name: String, in layer: String, _ imports: [Target.Dependency],
    for optimisation: Optimisation? = nil
) -> Target {
    .target(
        name: name, dependencies: imports, path: "Sources/\(layer)/\(name)",
        swiftSettings: swift + (optimisation?.settings ?? []))
}

/// - Parameter path: the folder, if it is not beside the others.
func program(_ name: String, at path: String? = nil, _ imports: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: imports, path: path ?? "Sources/Programs/\(name)",
        swiftSettings: swift,
        // Every symbol is bound at the start, and the table of symbols is read-only from then on (ld(1), -z now and
        // -z relro). lld, which is part of the toolchain, packs the relocations: a megabyte less to load at the start.
        linkerSettings: [
            .unsafeFlags([
                "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now",
                "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker",
                "--icf=safe", "-Xlinker", "--compress-debug-sections=zlib",
            ])
        ])
}

/// A shim over a C library of Debian, imported by its one adapter only; `CCurl` by BackendClient, OutgoingHTTP, WebPush and SMSGateway.
func shim(_ name: String, in folder: String = "Sources/C", links libraries: [String]) -> Target {
    .target(
        name: name, path: "\(folder)/\(name)",
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(
    _ name: String, _ imports: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: imports, path: "Tests/\(name)", exclude: exclude,
        swiftSettings: swift)
}

/// What the checks of the parsers of foreign bytes import.
let foreignParsers: [Target.Dependency] = [
    "BackendAPI", "BackendClient", "BackendService", "CCups", "Catalogue", "CodeReader",
    "Cryptography", "CupsPrinter", "CursesTerminal", "DescriptorWatch", "HTTPServer", "KioskFlow",
    "KioskScreens", "Reservations", "SMSTexts", "TerminalSurface", "UnixSocket",
]

/// The checks of these parsers: tests, or a part of the fuzzers, which need libFuzzer (`Tests/fuzz` links it).
let parserChecks: [Target] =
    !isFuzzing
    ? [tests("ForeignParsersTests", foreignParsers)]
    : [
        shim("CFuzzer", in: "Tests/C", links: []),
        .target(
            name: "ForeignParsers", dependencies: foreignParsers,
            path: "Tests/ForeignParsersTests/Parsers", swiftSettings: swift),
        .executableTarget(
            name: "clup-fuzz", dependencies: ["CFuzzer", "ForeignParsers"], path: "Tests/Fuzzing",
            exclude: ["Corpus"], swiftSettings: swift),
    ]

let package = Package(
    name: "clup",
    products: [
        .executable(name: "clup-kiosk", targets: ["clup-kiosk"]),
        .executable(name: "clup-backend", targets: ["clup-backend"]),
        .executable(name: "escpos-backend", targets: ["escpos-backend"]),
    ],
    targets: [
        // Shared
        pure("TextForms", in: "Shared", for: .testsToo),
        pure("Reservations", in: "Shared", ["TextForms"], for: .testsToo),
        pure("BackendAPI", in: "Shared", ["TextForms", "Reservations"], for: .testsToo),
        pure("VisitCalendar", in: "Shared", ["Reservations"]),
        adapter(
            "Cryptography", in: "Shared", ["TextForms", "BackendAPI", "Reservations", "CSodium"]),
        adapter("QRCode", in: "Shared", ["Reservations", "CQREncode"]),
        adapter("KeyFile", in: "Shared", ["CommandSyntax", "Cryptography"]),
        adapter("CommandSyntax", in: "Shared", []),
        adapter("ChildProcess", in: "Shared", ["CSpawn"]),
        pure("RowColumns", in: "Shared"),
        adapter("SQLite", in: "Shared", ["RowColumns", "CSQLite"]),
        adapter("DescriptorWatch", in: "Shared", ["CEpoll"]),
        adapter("UnixSocket", in: "Shared", []),
        adapter("ServiceNotice", in: "Shared", ["UnixSocket"]),
        adapter("SignalWatch", in: "Shared", []),

        // TicketMachine, pure
        pure(
            "KioskFlow", in: "TicketMachine", ["TextForms", "Reservations", "VisitCalendar"],
            for: .sizeAndTests),
        pure(
            "TerminalSurface", in: "TicketMachine", ["TextForms", "Reservations"], for: .testsToo
        ),
        pure("ESCPOS", in: "TicketMachine"),
        pure(
            "KioskScreens", in: "TicketMachine", ["KioskFlow", "TerminalSurface", "Reservations"],
            for: .testsToo),

        // TicketMachine, adapters
        adapter("MachineClock", in: "TicketMachine", []),
        adapter(
            "KioskRuntime", in: "TicketMachine",
            [
                "MachineClock", "TextForms", "KioskFlow", "KioskScreens", "TerminalSurface",
                "Reservations",
                "VisitCalendar",
            ], for: .size),
        adapter("CursesTerminal", in: "TicketMachine", ["TerminalSurface", "CNcurses"]),
        adapter(
            "TicketPaper", in: "TicketMachine",
            ["TextForms", "KioskScreens", "Reservations", "CPango"]),
        adapter(
            "CupsPrinter", in: "TicketMachine",
            ["MachineClock", "KioskRuntime", "KioskFlow", "CCups"], for: .size),
        adapter(
            "BackendClient", in: "TicketMachine",
            [
                "MachineClock", "TextForms", "KioskRuntime", "KioskFlow", "BackendAPI",
                "Reservations", "CCurl",
            ],
            for: .size),
        adapter(
            "CodeReader", in: "TicketMachine", ["MachineClock", "DescriptorWatch", "CEvdev"]),
        adapter(
            "KioskJournal", in: "TicketMachine",
            ["RowColumns", "KioskRuntime", "KioskFlow", "Reservations", "SQLite"], for: .size),
        adapter(
            "StaffStore", in: "TicketMachine",
            [
                "CommandSyntax", "RowColumns", "KioskRuntime", "KioskFlow", "Reservations",
                "Cryptography", "SQLite",
            ], for: .size),
        adapter("Speech", in: "TicketMachine", ["ChildProcess", "KioskRuntime"]),
        adapter("Catalogue", in: "TicketMachine", ["KioskScreens"]),

        // Backend
        pure("QueueEngine", in: "Backend", ["Reservations"], for: .testsToo),
        pure("Metrics", in: "Backend"),
        pure("SMSTexts", in: "Backend", ["TextForms", "Reservations"], for: .testsToo),
        adapter(
            "ReservationStore", in: "Backend",
            ["RowColumns", "TextForms", "QueueEngine", "Reservations", "Metrics", "Cryptography"]),
        adapter(
            "SQLiteStore", in: "Backend",
            ["RowColumns", "ReservationStore", "Reservations", "SQLite"]),
        adapter(
            "PostgresStore", in: "Backend",
            ["RowColumns", "TextForms", "ReservationStore", "Reservations", "CPostgres"]),
        adapter(
            "BackendService", in: "Backend",
            [
                "TextForms", "ReservationStore", "QueueEngine", "BackendAPI", "Reservations",
                "Cryptography", "Metrics", "QRCode", "SMSGateway", "SMSTexts", "TimeZones",
                "VisitCalendar", "WebPush",
            ]),
        adapter("TimeZones", in: "Backend", ["CGLib"]),
        adapter(
            "WebPush", in: "Backend",
            ["BackendAPI", "Cryptography", "OutgoingHTTP", "CCurl", "CPushCryptography"]),
        adapter(
            "SMSGateway", in: "Backend",
            ["ChildProcess", "OutgoingHTTP", "SMSTexts", "Reservations", "CCurl"]),
        adapter("OutgoingHTTP", in: "Backend", ["CCurl"]),
        adapter(
            "HTTPServer", in: "Backend",
            [
                "DescriptorWatch", "UnixSocket", "TextForms", "BackendAPI", "Reservations",
                "CMicroHTTPD", "CWebSocket",
            ]),

        // Programs: each a `main` over a library that tests import.
        program("clup-kiosk", ["KioskCommands"]),
        adapter(
            "KioskCommands", in: "Programs",
            [
                "ChildProcess", "CommandSyntax", "TextForms",
                "KioskRuntime", "KioskFlow", "KioskScreens", "TerminalSurface", "Reservations",
                "CursesTerminal", "QRCode", "TicketPaper", "CupsPrinter", "ESCPOS", "BackendClient",
                "KeyFile", "KioskJournal", "StaffStore", "Catalogue", "Cryptography",
                "CodeReader",
                "Speech",
                "DescriptorWatch", "MachineClock", "ServiceNotice", "SignalWatch", "UnixSocket",
                "CMalloc",
            ], for: .size),
        program("escpos-backend", ["ESCPOS", "CCups"]),
        program("clup-backend", ["BackendCommands"]),
        adapter(
            "BackendCommands", in: "Programs",
            [
                "ChildProcess", "CommandSyntax", "UnixSocket",
                "BackendService", "ReservationStore", "SQLiteStore", "PostgresStore", "SQLite",
                "HTTPServer", "BackendAPI", "Metrics",
                "QRCode", "Reservations", "QueueEngine", "Cryptography", "KeyFile", "ServiceNotice",
                "SMSGateway", "SignalWatch", "TextForms", "WebPush",
            ], for: .size),

        // C
        shim("CEvdev", links: []),
        shim("CEpoll", links: []),
        shim("CMalloc", links: []),
        shim("CSpawn", links: []),
        shim("CNcurses", links: ["ncursesw", "tinfo"]),
        shim("CQREncode", links: ["qrencode"]),
        shim("CCups", links: ["cups"]),
        shim("CSodium", links: ["sodium"]),
        shim("CCurl", links: ["curl"]),
        shim("CSQLite", links: ["sqlite3"]),
        shim("CPostgres", links: ["pq"]),
        shim("CMicroHTTPD", links: ["microhttpd"]),
        shim("CWebSocket", links: ["wslay", "nettle"]),
        shim("CPushCryptography", links: ["hogweed", "nettle", "gmp"]),
        .systemLibrary(
            name: "CPango", path: "Sources/C/CPango", pkgConfig: "pangocairo",
            providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(
            name: "CGLib", path: "Sources/C/CGLib", pkgConfig: "glib-2.0",
            providers: [.apt(["libglib2.0-dev"])]),

        // Tests
        tests("ReservationsTests", ["Reservations"]),
        tests("TreeTests", []),
        tests(
            "CommandTests",
            [
                "BackendCommands", "CommandSyntax", "KeyFile", "KioskCommands", "ReservationStore",
                "Reservations", "StaffStore",
            ]),
        tests(
            "BackendAPITests", ["BackendAPI", "Cryptography", "Reservations"],
            exclude: ["GoldenBodies.txt"]),
        tests(
            "KioskFlowTests", ["KioskFlow", "Reservations", "TestSupport"],
            exclude: ["RecordedPaths.txt"]),
        tests(
            "KioskScreensTests",
            [
                "KioskScreens", "KioskFlow", "TerminalSurface", "Reservations", "Catalogue",
                "QRCode", "TestSupport",
            ], exclude: ["Expected", "KeptPictures"]),
        tests(
            "TerminalTests", ["CursesTerminal", "TerminalSurface", "Reservations", "TestSupport"]),
        tests("QueueEngineTests", ["QueueEngine", "Reservations"]),
        tests(
            "StoreTests",
            [
                "RowColumns", "QueueEngine", "ReservationStore", "SQLiteStore", "PostgresStore",
                "SQLite",
                "Reservations", "Cryptography", "TestSupport",
            ]),
        tests(
            "BackendTests",
            [
                "BackendService", "ReservationStore", "SQLiteStore", "SQLite", "PostgresStore",
                "HTTPServer", "BackendAPI", "Metrics", "QRCode",
                "Cryptography", "QueueEngine", "Reservations", "SMSGateway", "TestSupport",
                "UnixSocket", "VisitCalendar", "WebPush",
            ]),
        tests(
            "SimulationTests",
            [
                "RowColumns", "BackendService", "ReservationStore", "SQLiteStore", "SQLite",
                "BackendAPI",
                "Cryptography", "Reservations", "TestSupport",
            ]),
        .target(
            name: "TestSupport",
            dependencies: [
                "BackendAPI", "Cryptography", "MachineClock", "Reservations", "UnixSocket",
                "CEvdev", "CSpawn", "CPseudoTerminal",
            ],
            path: "Tests/TestSupport",
            exclude: [
                "wall-clock.c", "calendar-requirements.txt", "read-calendar.py", "read-numbers.py",
            ],
            swiftSettings: swift),
        shim("CPseudoTerminal", in: "Tests/C", links: []),
        shim(
            "CBenchFloors", in: "Tests/C", links: ["qrencode", "cairo", "sodium", "hogweed", "gmp"]),
        program(
            "clup-bench", at: "Tests/Bench",
            [
                "Reservations", "BackendAPI", "Cryptography", "BackendClient", "KioskRuntime",
                "KioskFlow", "KioskScreens", "TerminalSurface", "QRCode", "TicketPaper",
                "Catalogue", "ReservationStore", "SQLiteStore", "QueueEngine", "KeyFile",
                "RowColumns", "SQLite", "TestSupport", "CBenchFloors", "HTTPServer", "WebPush",
            ]),
        tests(
            "PaperTests",
            [
                "TicketPaper", "QRCode", "CupsPrinter", "ESCPOS", "KioskScreens", "KioskFlow",
                "KioskRuntime", "MachineClock", "Reservations", "TestSupport", "VisitCalendar",
                "escpos-backend",
            ]),
        tests(
            "MachineTests",
            [
                "BackendClient", "KeyFile", "KioskJournal", "StaffStore", "KioskRuntime",
                "KioskFlow", "KioskScreens", "TerminalSurface", "BackendAPI", "Cryptography",
                "Reservations", "MachineClock", "SQLite", "CodeReader", "ServiceNotice",
                "SignalWatch", "CEvdev", "TestSupport",
            ]),
        tests(
            "WebPushTests", ["WebPush", "OutgoingHTTP", "Cryptography", "TestSupport", "CCurl"],
            exclude: ["requirements.txt", "receive-pushes.py"]),
        tests(
            "SMSTextsTests", ["SMSTexts", "Reservations"], exclude: ["Texts.txt"]),
        tests(
            "SMSGatewayTests",
            ["SMSGateway", "OutgoingHTTP", "SMSTexts", "Reservations", "TestSupport"]),
        tests("SpeechTests", ["Speech", "KioskRuntime", "TestSupport"]),
        tests(
            "WebTests", ["BackendAPI", "Cryptography", "QRCode", "Reservations", "TestSupport"],
            exclude: [
                "Firefox", "axe-requirements.txt", "firefox-requirements.txt",
                "recurring-events.py",
            ]),
        tests("EndToEndTests", ["BackendAPI", "Cryptography", "Reservations", "TestSupport"]),
        tests("SessionTests", ["KioskFlow", "TestSupport"]),
        tests("PackageTests", ["TestSupport"]),
        tests(
            "FaultTests",
            [
                "BackendClient", "MachineClock", "KioskRuntime", "KioskFlow", "BackendAPI",
                "Cryptography", "Reservations", "TestSupport",
            ]),
        tests(
            "LoadTests",
            [
                "BackendAPI", "Cryptography", "PostgresStore", "ReservationStore", "Reservations",
                "SQLiteStore", "TestSupport",
            ]),
        tests(
            "HostileTests", ["Cryptography", "Reservations", "TestSupport"],
            exclude: ["Schemathesis", "independent-client.py"]),
    ] + parserChecks,
    swiftLanguageModes: [.v6]
)
