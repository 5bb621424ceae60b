import Cryptography
import Glibc

/// `clup-bench`: the program that measures speed and memory.
enum BenchProgram {
    static func main(_ words: [String]) {
        // The reader of the figures, or the backend that is simulated against, may go away.
        signal(SIGPIPE, SIG_IGN)
        do {
            try Cryptography.start()
            try run(words)
        } catch let error as BenchError {
            Progress.say("clup-bench: \(error.sentence)")
            exit(error.status)
        } catch {
            Progress.say("clup-bench: \(error)")
            exit(1)
        }
    }

    private typealias Bench = (Workspace, Report) throws -> Void

    /// What measures, by its command.
    private static var benches: [String: [Bench]] {
        [
            "backend": [BackendBench.run], "scale": CapacityBench.all, "start": [StartBench.run],
            "paper": [PaperBench.run], "kiosk": [KioskBench.run], "printer": [PrinterBench.run],
            "deletion": [DeletionBench.run], "orders": [OrderBench.run], "faults": [FaultBench.run],
            "security": [SecurityBench.run], "push": [PushBench.run],
            "care": [MaintenanceBench.run], "session": [SessionBench.run],
            "displays": [DisplayBench.run], "phones": [PhonesBench.run],
            "notices": [NoticeBench.run], "calls-for-help": [HelpBench.run],
            "shop": [ShopBench.run], "robots": [RobotBench.run], "day": [SimulatedDay.run],
            "crowd": [CrowdBench.run],
            "all": [
                PaperBench.run, BackendBench.run, DeletionBench.run, KioskBench.run,
                FaultBench.run, PrinterBench.run, DisplayBench.run, HelpBench.run,
                SecurityBench.run, PushBench.run, MaintenanceBench.run, SessionBench.run,
                ShopBench.run,
            ],
        ]
    }

    private static func run(_ words: [String]) throws {
        guard let command = words.first else {
            throw BenchError.usage("a command is missing; --help lists them")
        }
        if words.contains("--help") || words.contains("-h") || command == "help" {
            return print(help)
        }
        let rest = Array(words.dropFirst())
        if let benches = benches[command] { return try measure(rest, benches) }
        switch command {
        case "customers": try Customers.run(Options(rest, Options.customers))
        case "invitation": try Invitee.run(Options(rest, Options.invitation))
        case "collectors": try Collectors.run(Options(rest, Options.collectors))
        case "faulty-backend": try FaultyBackend.run(Options(rest, Options.faultyBackend))
        // Commands that the measurements start in this program itself; see `PaperBench` and `KioskBench`.
        case PaperBench.firstPageCommand:
            try PaperBench.printFirstPage()
        case Guardian.command: Guardian.run()
        case KioskBench.wakingCommand: KioskBench.wakeOnceASecond()
        default: throw BenchError.usage("there is no command \"\(command)\"; --help lists them")
        }
    }

    private static func measure(_ words: [String], _ benches: [Bench]) throws {
        let options = try Options(words, Options.measuring, flags: ["strict"])
        keepEnvironment()
        try Guardian.start()
        let report = Report()
        for bench in benches {
            let workspace = try Workspace(options)
            defer { workspace.remove() }
            try bench(workspace, report)
        }
        report.conclude()
        if options.has("strict"), !report.allHold { exit(2) }
    }

    /// Keeps only the environment that programs need, so that a measurement is the same everywhere.
    private static func keepEnvironment() {
        // The last two set another wall clock: Tests/at-time.
        let names = ["PATH", "HOME", "TMPDIR", "LD_PRELOAD", "WALL_CLOCK"]
        let kept = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        clearenv()
        for (name, value) in kept { setenv(name, value, 1) }
        setenv("LC_ALL", "C.UTF-8", 1)
        setenv("TERM", "xterm-256color", 1)
    }

    private static let help = """
        clup-bench measures the ticket machine and its backend as they are shipped.

          backend    tickets a second over the signed HTTP API, durable, at 1, 8 and 32 machines
          scale      all figures of Kiosk/scale-and-measurements.md: both engines under load, at rest, with
                     500 connections and with a million old reservations
          start      the start of a server with 2,000 shops, and its first answer
          paper      the QR symbol and the ticket's PDF
          kiosk      the kiosk in a terminal of 80x24 and of 160x50, from touch to screen
          printer    how soon the kiosk knows that the printer is in trouble
          deletion   reservations deleted over the signed HTTP API
          orders     orders looked up and collected, beside 1,000 and beside 100,000 of a shop
          faults     the kiosk after kill -9, and while its backend is killed or silent
          security   signatures, replay checks and the hash of a PIN
          push       a push sealed for its browser, and its sender's token
          care       maintenance mode while printer and backend say nothing
          session    the locked-down session on an X server, with real touch events, and a browser's
                     page of one button beside it
          displays   from a call to the number on 200 displays
          phones     customers join at the door; then 5,000 pages of places open on one server: memory,
                     calls, and the machines beside them
          notices    notices that wait, sent to a push service on this computer
          calls-for-help   from a customer's call for help to eight pages of staff members
          shop       whole shop days against the real engine: are waits told as they come?
          robots     the same while programs take every place for customers elsewhere, and never come
          day        whole days of a shop through the backend's API, its clock moved: does the
                     report agree with what the simulation saw?
          crowd      hours of a demonstration with other customers, its clock moved: does the wait
                     settle between 10 and 30 minutes?
          all        everything
          customers  be other customers of a shop, until told to end (for Kiosk/try --customers)
          invitation print the link with which a phone joins a shop's queue now, and its symbol with --symbol
                     yes (for Kiosk/try)
          collectors bring orders into every state, as their customers and a desk do (for Kiosk/try --orders)
          faulty-backend
                     be a fake backend in front of the true one, with a fault (for Kiosk/try --backend)

        Options of what measures
          --programs DIR     where clup-backend and clup-kiosk are (default: beside clup-bench)
          --directory DIR    where databases are made (default: a new folder under TMPDIR or /tmp);
                             the disk that is measured is the one this folder is on
          --database D       backend, start: sqlite, or postgresql in a private server of its own (sqlite)
          --machines N       backend: only this many machines, instead of 1, 8 and 32
          --reservations N   scale: old ones in the database (1000000)
          --orders N         orders: as many as a shop has in the larger case (100000)
          --seconds N        backend, scale: how long each number of machines is measured (10);
                             security: as long, at most 5
          --pages N          phones: open pages (5000)
          --notices N        notices: so many (10000)
          --starts N         kiosk: how often it is started for the first frame (20); session: (5);
                             start: with each number of shops (9)
          --touches N        kiosk: presses of a button (300 at 80x24, 200 at 160x50); session: (200)
          --taps N           kiosk: changes from one screen to another (100)
          --confirmations N  kiosk: tickets taken (60), a third as many deleted
          --faults N         faults: kills of the kiosk, and of the backend each way (10)
          --idle N           kiosk: seconds without a touch (20)
          --printer yes|no   kiosk: print on Kiosk/demo-printer (yes, where its programs are there)
          --troubles N       printer: troubles while idle, and while it prints (5)
          --grid G           kiosk: only 80x24 or only 160x50
          --assets DIR       kiosk: passed on to clup-kiosk
          --hours N          crowd: simulated hours, at least one (6)
          --seed N           crowd: which customers come (1)
          --days N           shop: simulated days of each kind of shop (30)
          --start-when FILE  day: begin once this file is there, as when browsers are open (at once)
          --pause MS         day: real milliseconds between two minutes, for who looks on (none)
          --strict           exit with status 2 where a budget does not hold

        Options of customers
          --backend URL      the backend
          --state DIR        a state directory that `clup-kiosk enrol` made, wrapping-key included
          --first N          tickets taken at once (14)
          --entrance DIR, --checkout DIR
                             state directories of the readers: whoever is called comes in and goes
          --stay MINUTES     how long a customer stays on the average (12)
          --every SECONDS    mean time between two customers afterwards (30); who finds a wait that is
                             too long for him leaves without a ticket

        Options of collectors
          --backend URL      the backend
          --state DIR, --desk DIR
                             state directories of a machine and of a desk
          --orders FILE      what `clup-backend order add` has printed

        Options of invitation
          --backend URL      the backend
          --state DIR        a state directory that `clup-kiosk enrol` made, wrapping-key included
          --symbol yes|no    the symbol below the link (no)

        Options of faulty-backend
          --backend URL      the true one
          --fault F          slow (every answer 2 s late), down (nobody listens) or garbage

        Each figure is one line of JSON on the standard output:
          figure, value, unit
          floor   what: a floor or peer that was measured in the same run; value, in the same unit
          ratio   value / floor.value
          limit   "at-most" or "at-least", with budget; holds tells whether it is kept
          n       how often it was measured

        Figures (M is 1, 8 or 32 machines; G is 80x24 or 160x50)
          backend.tickets-per-second.M   a ticket is a signed hold and its signed confirmation, each
                                         with a fresh nonce and an idempotency key, answered after
                                         the commit is on the disk. Floor: SQLite alone with the
                                         same pragmas, schema, rows, bytes and batch sizes
          backend.ticket-p50.M, -p99.M   from the first byte sent to the number received
          backend.cpu-per-ticket.M       of the backend's process; floor: SQLite alone
          backend.batch.M                commands in a commit, which flushes the log once; by the distinct
                                         times of the commits
          backend.processors-busy.M      of all processors, whoever used them, load and PostgreSQL too
          backend.switches-per-ticket.M  how often a thread of the backend gave up its processor or lost it
          backend.cpu-per-queue, -status a signed GET of the queue, and a status report that says nothing new,
                                         of the backend's process; floor: libsodium's verify and sign
          backend.generator-cpu.M        what the load itself costs on the same cores, per ticket
          backend.faults                 tickets acknowledged but not stored as told, numbers twice,
                                         gaps; counted after the backend was killed
          backend.memory                 peak resident memory under load; floor: before the first call
          postgresql.tickets-per-second.M, .ticket-p50.M, .ticket-p99.M, .cpu-per-ticket.M, .batch.M
                                         the same with --database postgresql. Floor: the same
                                         service with one transaction, SELECT ... FOR UPDATE, per
                                         command (serve --batch 1)
          postgresql.tickets-per-second.M-of-N-shops, .processors-busy.M-of-N-shops
                                         two machines of each shop; floor: two machines of one shop
          postgresql.tickets-per-second.32-of-16-shops-to-one-shop
                                         the same; floor: 32 machines of one shop, whose batches are larger
          postgresql.commands-per-fsync.M, .log-per-ticket.M
                                         flushes and bytes of its log (pg_stat_wal)
          postgresql.server-cpu.M        of PostgreSQL's own processes, per ticket
          postgresql.faults, .memory     as those of backend
          E.memory-at-rest, E.memory-at-500-connections
                                         scale, E being backend or postgresql: resident, before the first
                                         call; peak, with eight machines at work beside the 500
          E.ticket-p50-with-history      with a million old reservations; floor: the same at the same time
                                         without them
          E.bytes-per-old-reservation    with its three events, indices included
          E.start-to-ready, E.start-to-ready-with-history
                                         from exec to the line that says where it listens, p50; starts
                                         are spread over a second, whose end a server waits for
          E.start-to-ready-2000-shops, E.start-cpu-2000-shops
                                         start, scale: the same with 2,000 shops without customers, and
                                         CPU of the process until then. Floor: with one shop
          E.first-answer-2000-shops      from then to a machine's answer, on a new connection
          disk.fdatasync-p50, -p99       4 KiB appended and on the disk
          displays.call-p50, -p99        from the confirmation that calls until a display has the
                                         whole message with its number, the commit included; 200
                                         displays. Floor: the same bytes through bare socket pairs
          displays.last-p50              the same until the last of the displays has it
          help.page-p50, .page-p99       from a machine's call for help to the first of eight pages
          help.last-page-p99             the same until the last of the pages has it
          orders.desk-page-p50, -p99     from a customer who says to be here until the last of eight desks shows
                                         it. Floor: the answer to the machine
          phones.memory                  what open pages add to the backend's memory
          phones.call-p50, .call-p99     from the staff's deletion of a called number to the page of
                                         the next one
          phones.ticket-p50, .slower     tickets of eight machines while the pages are open, and how
                                         many fewer a second
          displays.memory                the backend's peak resident memory
          security.sign-verify           a request signed as a machine does and verified as the backend
                                         does; floor: libsodium's sign and verify alone
          security.share                 verifying, the nonce's row and signing the answer, in % of a
                                         ticket's CPU at the backend (two calls; 8 machines)
          security.pin-check             Argon2id as a PIN is checked; floor: 2 passes over 19 MiB
          security.pin-passes, -memory   what it was asked for
          push.seal, push.sign           CPU time of a push's sealing, and of a token, which serves six
                                         hours; floor: two products of points by nettle
          care.overview                  the last key of the PIN until the overview shows every part,
                                         its check included; printer and backend take connections
                                         and never answer
          session.home                   from the session's exec to Home's button on the screen, slowest
          session.touch-p50, -p95        a finger goes down on Home's button until a pixel of it has
                                         changed; floor: the same on a page of one button in Chromium
          session.touch-of-browser       the p95 in parts of the browser's
          session.repaint-p50, -p95      Contrast is tapped on a panel of 1920x1080 until the last row is
                                         painted in the other colours, the kiosk's own work included
          session.memory                 proportional set size of session, terminal and kiosk; floor: of
                                         Chromium with its page
          customers.wait-after-an-hour, .waiting-after-an-hour, .shortest-wait, .longest-wait
                                         what a customer of the demonstration is told, and how many wait;
                                         read every ten minutes after the first hour
          paper.qr-matrix                floor: the library's own call
          paper.first-page, page-p50, page-p99
                                         PDF of a ticket on an 80 mm roll, in a new process and
                                         after; floor: an empty page of cairo's
          kiosk.first-frame.G            from exec to the last byte of the first frame, p99;
                                         floor: `tput clear` in the same terminal
          kiosk.ready                    from exec to Home with the queue's truth, p50
          kiosk.touch-p50.G, -p99.G      a finger goes down on Home's button until the last byte of
                                         the changed screen; floor: `cat` echoing a byte, raw
          kiosk.touch-cpu-p50.G, -p99.G  the kiosk's own CPU time of the same touches: what is left
                                         when nobody else wants the processor
          kiosk.tap-p50.G, -p99.G        a tap until the last byte of quite another screen
          kiosk.offer-p50.G, -p99.G      Get a ticket until the offer's last byte (one durable call)
          kiosk.confirm-p50.G, -p99.G    Confirm until the number, QR and code are on the screen:
                                         journal, confirmation and reservation durable. Floor of
                                         both: as many fdatasync calls on the same disk
          kiosk.delete-p50.G, -p99.G     Confirm until the screen says that the ticket is deleted
          backend.delete-p50, -p99       the same call alone, from the client's side
          kiosk.back-after-kill          from kill -9 on Home to Home, the new process started at once
          kiosk.backend-F.message        F is killed (refuses connections) or silent (takes them):
                                         from the touch until the customer is told
          kiosk.backend-F.noticed        until an untouched Home says so: a poll comes every 3 to 5 s
          kiosk.backend-F.service        from the backend's return until Home offers tickets
          kiosk.idle                     CPU without a touch, in % of one core; floor: a process
                                         that only wakes once a second
          kiosk.memory.G                 peak resident memory; floor: before the first touch
          printer.known-idle             from a jam until the kiosk's log has it, slowest; nobody
                                         prints. Floor: one question to the printer by ipptool
          printer.known-printing         the same while a job is in the printer, until the screen
                                         says so
          budgets                        the last line: how many hold, of how many
        """
}
