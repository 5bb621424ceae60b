internal import KioskFlow
internal import KioskScreens
public import MachineClock
internal import Reservations
internal import TerminalSurface

/// The running machine: events go into the flow, its effects go to the ports, and its state is shown on screen.
///
/// Everything runs on the main actor; network, printer and rendering work elsewhere and report back with events.
@MainActor public final class Kiosk {
    /// Touches older than this were made in front of a screen that did not react (faults 10).
    private static let stallThreshold: Duration = .seconds(3)

    let parts: any Parts
    var flow: KioskFlow
    let time: MachineClock
    private let start: MachineClock.Instant
    private var input = TouchInput()
    private var burst = KeyBurst()
    private var composition: Composition?
    private var frame: Frame?
    /// What is marked on the frame; nil if the frame is older than the composition.
    private var marked: Highlight?
    /// Shows the further pictures of a change of screen.
    private var change: Task<Void, Never>?
    /// Waits for the next tick.
    private var alarm: Task<Void, Never>?
    private var lastTick: MachineClock.Instant
    /// The time to which the alarm is set; nil if it is not.
    private var armed: Duration?
    /// The pause between two looks for a new version: an update may wait for seconds, and each look reads a few files.
    private static let newVersionPause: Duration = .seconds(5)
    private var newVersionCheckedAt: Duration = .zero
    private var isNewVersionReported = false
    var backgroundKeys = 0
    let keyPrefix: String
    private var symbols: (slip: Slip, symbols: Symbols)?
    private var invitation: (link: String, symbol: QRMatrix?)?
    private(set) var poller: Poller?
    private(set) var resolver: PendingRequestResolver?
    private var speaker: Speaker?
    private(set) var desk: MaintenanceMonitor?
    private var reporter: Reporter?
    var isRotating = false
    private var pattern = CornerPattern()
    /// The last logged reason why customers cannot be served, if there is one.
    private var reported: OutOfService?
    /// Whether the last poll of the queue was answered.
    private(set) var wasAnswered = true
    /// Records of what has happened that could not be written; they are written first when the disk accepts writes
    /// again.
    var unwritten: [JournalRecord] = []
    /// Receipts that are being printed, each with its customer.
    var papers: [AttemptKey: ReceiptCustomer] = [:]
    var asking: Task<Void, Never>?

    /// - Parameter keyPrefix: random characters `a-z 0-9`, new at each start.
    public init(
        _ parts: any Parts, languages: [String], keyPrefix: String, time: MachineClock = .system
    ) {
        self.parts = parts
        self.time = time
        start = time.now
        lastTick = time.now
        self.keyPrefix = keyPrefix
        flow = KioskFlow(
            languages: languages, canSpeak: parts.speech != nil, isStaffKnown: true,
            keyPrefix: keyPrefix)
    }

    /// Shows the first frame and begins to serve; input arrives through `inputReady`, `codeRead` and `readerReported`.
    public func begin() {
        poller = Poller(for: self)
        resolver = PendingRequestResolver(
            backend: parts.background, time: time, log: parts.log
        ) { [weak self] key in self?.write([.resolved(key)]) }
        speaker = Speaker(parts.speech) { [weak self] reason in
            self?.parts.log("speech: \(reason)")
            self?.happened(.speechFailed)
        }
        desk = MaintenanceMonitor(parts, time: time) { [weak self] in
            self?.happened(.staff(.facts($0)))
        }
        var kept = KioskEvent.Kept()
        kept.settings = parts.logged("staff") { try parts.staff.settings() } ?? MachineSettings()
        parts.printer.isSwapped = kept.settings.printer == 1
        kept.service = service
        kept.help = parts.rememberedHelp
        reporter = Reporter(for: self)
        reporter?.begin()
        do { kept.open = try parts.journal.open() } catch { journalFailed(error, unsent: false) }
        happened(.started(kept))
    }

    /// Handles what was typed or touched; returns a signal that ends the program, if there is one.
    public func inputReady() -> TerminalSignal? {
        let events = parts.terminal.read()
        let isStale = hasStoodStill
        for event in events {
            switch event {
            case .hangup: return .hangup
            case .interrupt: return .interrupt
            case .resize: redraw()
            case .key, .press, .release, .click: if !isStale { handle(event) }
            }
        }
        if isStale { tick() }
        return nil
    }

    /// Reports whether the configured reader is available.
    public func readerReported(isThere: Bool) { happened(.readerReported(isThere: isThere)) }

    /// Handles a code, from a device of its own or from a reader that acts as a keyboard.
    public func codeRead(_ text: String) {
        desk?.read(StaffRead(text, at: flow.shopClock(now: now)))
        happened(.codeRead(text))
    }

    private func handle(_ event: TerminalEvent) {
        guard case .key(let key) = event else {
            // A hostile code may type what looks like a touch.
            if !burst.isReading { touch(event) }
            return
        }
        if case .function(let number) = key, !burst.isReading {
            if number == parts.staffKey {
                happened(.staffAsked)
            } else if number == parts.helpKey {
                happened(.touched(.help(.open)))
            }
            return
        }
        take(burst.pressed(key, now: now))
        arm()
    }

    private func take(_ burst: KeyBurst.Outcome?) {
        switch burst {
        case .code(let text): codeRead(text)
        case .keys(let keys): for key in keys { touch(.key(key)) }
        case nil: break
        }
    }

    private func touch(_ event: TerminalEvent) {
        guard let frame else { return }
        let place: GridPosition? =
            switch event {
            case .release(let place), .click(let place): place
            case .press, .key, .resize, .interrupt, .hangup: nil
            }
        // A touch may complete the staff's pattern; a touch on a button starts the pattern over.
        if let place {
            let corner = frame.action(at: place) == nil ? frame.corner(at: place) : nil
            if pattern.touched(corner, now: now) { return happened(.staffAsked) }
        }
        switch input.handle(event, on: frame) {
        case .nothing: break
        case .redraw: redraw()
        case .touched(let action):
            let now = now
            if flow.isTooSoon(action, now: now) { input.felt(action, now: now) }
            let size = frame.surface.size
            let mark = place.map {
                TouchMark(row: $0.row, column: $0.column, rows: size.rows, columns: size.columns)
            }
            happened(.touched(action, at: mark))
        }
    }

    /// The terminal has gone, or Ctrl-C was pressed on a keyboard.
    public enum TerminalSignal: Sendable {
        case hangup
        case interrupt
    }

    /// Draws what has changed, or everything if the terminal has another size.
    public func redraw() {
        let scene = Scene(flow, readerPlace: parts.readerPlace, now: now)
        let size = parts.terminal.size
        if composition?.scene != scene || composition?.size != size {
            let symbols = shownSymbols
            composition = Screens.compose(
                scene, size: size, themes: parts.themes, typeface: parts.typeface,
                wordings: parts.wordings, qr: symbols?.entry,
                symbolForPhones: symbols?.forPhones,
                invitation: scene.invitation.flatMap(symbol(ofInvitation:)))
            marked = nil
        }
        if let composition, marked != input.pointing { draw(composition) }
        parts.drawn()
    }

    private func draw(_ composition: Composition) {
        var next = composition.frame(input.pointing)
        // The warning covers a screen that reappears unchanged.
        if composition.scene.warning == nil, input.isNew(next.spoken.screen) {
            next = composition.frame(input.pointing)
        }
        marked = input.pointing
        if next != frame {
            let pictures = next.change(from: frame)
            frame = next
            show(pictures)
        }
        speaker?.shows(
            next.spoken, voice: flow.access.voice, volume: flow.settings.volume,
            isBroken: !flow.access.isSpeechThere)
    }

    /// Shows the pictures of a change, the first one at once.
    private func show(_ pictures: [Surface]) {
        change?.cancel()
        change = nil
        let terminal = parts.terminal
        if let first = pictures.first { terminal.draw(first) }
        guard pictures.count > 1 else { return }
        change = Task {
            for picture in pictures.dropFirst() {
                try? await time.sleep(for: Frame.changePause)
                guard !Task.isCancelled else { return }
                terminal.draw(picture)
            }
        }
    }

    // MARK: Events

    var now: Duration { start.duration(to: time.now) }

    func happened(_ event: KioskEvent) {
        let before = flow.printer
        let now = now
        if event != .timePassed || flow.isDue(now: now) {
            parts.events?.add(event, to: flow, at: now)
        }
        perform(flow.handle(event, now: now))
        // A machine without a printer is in no trouble.
        if flow.printer.trouble != before.trouble, flow.printer.trouble != .absent {
            parts.log("printer: \(flow.printer.trouble?.rawValue ?? "ready")")
            note(flow.printer.trouble.map { .printerTrouble($0) } ?? .plain(.printerWell))
        }
        if flow.printer.paperLow, !before.paperLow { parts.log("printer: the paper is nearly out") }
        noteService()
        redraw()
        arm()
    }

    /// Writes down that customers cannot be served, or can be again.
    private func noteService() {
        // The staff's screens do not show whether customers are served.
        guard flow.state.isForCustomers else { return }
        let reason: OutOfService? = if case .outOfService(let why) = flow.state { why } else { nil }
        guard reason != reported else { return }
        reported = reason
        parts.log(reason.map { "out of service: \($0.rawValue)" } ?? "in service")
        note(reason.map { .fault($0) } ?? .plain(.recovered))
    }

    func note(_ what: MachineEvent.What, by person: String? = nil) {
        let event = MachineEvent(at: parts.clock, person: person, what: what)
        parts.logged("staff") { try parts.staff.note(event) }
    }

    /// When today began, for the list of receipts: the shop's midnight, or a day ago until the backend has reported the
    /// time.
    var dayBegan: Moment {
        guard let clock = flow.shopClock(now: now) else { return parts.clock - .seconds(86_400) }
        let time = clock.time
        return clock.moment - .minutes(time.hour * 60 + time.minute)
    }

    func reported(_ shop: MachineProfile) {
        if shop.languages != flow.shop?.languages || shop.help != flow.shop?.help {
            parts.learned(shop)
        }
        happened(.backend(.profile(shop)))
    }

    /// Handles the answer to a poll for the queue; `latency` is nil if none came.
    func reported(_ answer: BackendAnswer<QueueStatus>, after latency: Duration?) {
        let queue = try? answer.get()
        desk?.backendAnswered(after: latency, at: queue?.now.moment)
        if queue != nil, !wasAnswered { resolver?.retryNow() }
        wasAnswered = queue != nil
        happened(.backend(.queue(answer)))
    }

    private var hasStoodStill: Bool { lastTick.duration(to: time.now) > Self.stallThreshold }

    private func tick() {
        // Timer and input may come in any order; the file of a terminal that has gone stays readable.
        if hasStoodStill { _ = parts.terminal.read() }
        lastTick = time.now
        armed = nil
        if let deadline = burst.deadline, now >= deadline {
            // Input that waits in the terminal is no silence. A Ctrl-C among it is lost; it ends demonstrations only.
            _ = inputReady()
            take(burst.silent(now: now))
        }
        _ = input.timePassed(now: now)
        checkForNewVersion()
        if flow.hasCustomerLeft(now: now) { input.customerLeft() }
        happened(.timePassed)
    }

    private func checkForNewVersion() {
        guard !isNewVersionReported, now >= newVersionCheckedAt + Self.newVersionPause else {
            return
        }
        newVersionCheckedAt = now
        guard parts.isNewVersionThere else { return }
        isNewVersionReported = true
        parts.log("a new version is there: it starts when nobody is being served")
        happened(.newVersionFound)
    }

    /// Sets the alarm to the flow's next deadline, or to a second after the last tick for clocks and countdowns. It
    /// does so regardless of how often the screen is touched, so that a busy machine does not look like one that stood
    /// still.
    private func arm() {
        let due = [flow.nextDeadline, burst.deadline, input.feltUntil].compactMap(\.self)
            .reduce(start.duration(to: lastTick) + .seconds(1), min)
        guard due != armed else { return }
        armed = due
        alarm?.cancel()
        alarm = Task { [weak self, time, start] in
            guard (try? await time.sleep(until: start.advanced(by: due))) != nil, !Task.isCancelled
            else { return }
            self?.tick()
        }
    }

    // MARK: What is shown

    var wording: Strings { parts.wordings[flow.access.language] ?? .english }

    /// The symbols of a slip: of its code, and of its link if it has one.
    private struct Symbols {
        var entry: QRMatrix?
        var forPhones: QRMatrix?
    }

    /// The symbols of the slip on screen, made once.
    private var shownSymbols: Symbols? {
        guard case .issued(let issued) = flow.state else { return nil }
        let slip = issued.slip
        if let made = symbols, made.slip == slip { return made.symbols }
        let made = Symbols(
            entry: symbol { try parts.paper.matrix(ofCode: slip.symbol) },
            forPhones: slip.link.flatMap { link in
                symbol { try parts.paper.matrix(ofText: link) }
            })
        symbols = (slip, made)
        return made
    }

    /// The symbol of an invitation, made once for each link; nil if its link cannot be encoded.
    private func symbol(ofInvitation link: String) -> QRMatrix? {
        if let made = invitation, made.link == link { return made.symbol }
        let made = symbol { try parts.paper.matrix(ofText: link) }
        invitation = (link, made)
        return made
    }

    private func symbol(_ make: () throws -> QRMatrix) -> QRMatrix? {
        do { return try make() } catch {
            parts.log("QR: \(error)")
            return nil
        }
    }
}
