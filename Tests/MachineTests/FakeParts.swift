import KioskFlow
import KioskRuntime
import KioskScreens
import Reservations
import TerminalSurface

/// A backend that never answers, except with what a test gives it.
struct FakeBackend: BackendPort {
    typealias Answer<Value> = @Sendable () async -> BackendAnswer<Value>
    typealias KeyedAnswer<Value> = @Sendable (AttemptKey) async -> BackendAnswer<Value>

    var onShop: Answer<MachineProfile>?
    var onQueue: Answer<QueueStatus>?
    var onPlace: Answer<HeldPlace>?
    var onRelease: Answer<Void> = { .success(()) }
    var onConfirm: KeyedAnswer<Reservation>?
    var onReport: @Sendable (MachineStatusReport) async -> BackendAnswer<MachineStatusReply> = {
        _ in .failure(.unanswered)
    }
    var onOrder: Answer<PickupOrder> = { .failure(.unanswered) }
    var onArrive: KeyedAnswer<PickupOrder> = { _ in .failure(.unanswered) }
    var onRenewal: KeyedAnswer<Reservation> = { _ in .failure(.unanswered) }
    /// How long the calls take to which the test gives no answer.
    var silence: Duration = .zero

    private func silent<Value>(
        unless answer: Answer<Value>? = nil
    ) async -> BackendAnswer<Value> {
        if let answer { return await answer() }
        try? await Task.sleep(for: silence)
        return .failure(.unanswered)
    }

    func shop() async -> BackendAnswer<MachineProfile> { await silent(unless: onShop) }

    func queue() async -> BackendAnswer<QueueStatus> { await silent(unless: onQueue) }

    func takePlace(_ kind: ReservationKind, _ key: AttemptKey) async -> BackendAnswer<HeldPlace> {
        await silent(unless: onPlace)
    }

    func extend(_ hold: ReservationID, _ key: AttemptKey) async -> BackendAnswer<HeldPlace> {
        await silent()
    }

    func release(_ hold: ReservationID, _ key: AttemptKey) async -> BackendAnswer<Void> {
        await onRelease()
    }

    func confirm(_ hold: ReservationID, _ key: AttemptKey) async -> BackendAnswer<Reservation> {
        if let onConfirm { return await onConfirm(key) }
        return await silent()
    }

    func lookUp(
        _ code: PresentedCode, _ key: AttemptKey
    ) async -> BackendAnswer<FoundReservation> { await silent() }

    func delete(
        _ reservation: ReservationID, _ code: PresentedCode, _ key: AttemptKey
    ) async -> BackendAnswer<Void> { .success(()) }

    func lookUpOrder(
        _ code: PresentedOrderCode, _ key: AttemptKey
    ) async -> BackendAnswer<PickupOrder> { await onOrder() }

    func arrive(
        _ order: OrderID, _ code: PresentedOrderCode, _ key: AttemptKey
    ) async -> BackendAnswer<PickupOrder> { await onArrive(key) }

    func delay(
        _ reservation: ReservationID, _ code: PresentedCode, people: Int, _ key: AttemptKey
    ) async -> BackendAnswer<FoundReservation> { await silent() }

    func reclaim(
        _ reservation: ReservationID, _ code: PresentedCode, _ key: AttemptKey
    ) async -> BackendAnswer<FoundReservation> { await silent() }

    func staffQueue() async -> BackendAnswer<StaffQueue> { await silent() }

    func act(
        _ action: StaffAction, by person: String, closes: LocalMoment?, _ key: AttemptKey
    ) async -> BackendAnswer<Int?> { await silent() }

    func renewCode(
        of number: QueueNumber, _ code: EntryCode, by person: String, _ key: AttemptKey
    ) async -> BackendAnswer<Reservation> { await onRenewal(key) }

    func report(
        _ report: MachineStatusReport, _ attempt: AttemptKey
    ) async -> BackendAnswer<MachineStatusReply> { await onReport(report) }
}

/// Calls for help that never get an answer, except what a test gives them.
struct FakeHelp: HelpPort {
    var onCalls: FakeBackend.Answer<HelpCalls> = { .failure(.unanswered) }
    /// What was done about a call: by a person, or by the customer.
    var onChange: @Sendable (String, HelpCallID, String?) async -> BackendAnswer<HelpCall> = {
        _, _, _ in .failure(.unanswered)
    }

    func callHelp(_ key: AttemptKey) async -> BackendAnswer<HelpCall> { .failure(.unanswered) }

    func helpCalls() async -> BackendAnswer<HelpCalls> { await onCalls() }

    func goToHelp(
        _ call: HelpCallID, by person: String, _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall> { await onChange("going", call, person) }

    func muteHelp(
        _ call: HelpCallID, by person: String, _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall> { await onChange("mute", call, person) }

    func endHelp(
        _ call: HelpCallID, _ end: HelpCall.End, by person: String?, _ key: AttemptKey
    ) async -> BackendAnswer<HelpCall> { await onChange(end.rawValue, call, person) }
}

extension FakeBackend {
    /// A backend of an open shop at which no customer waits; its further calls get no answer.
    static func openShop() -> FakeBackend {
        FakeBackend(
            onShop: { .success(BackendFacts.profile()) },
            onQueue: { .success(BackendFacts.queue()) })
    }

    /// The place that it holds for a customer.
    static func place(_ hold: ReservationID, at now: LocalMoment) -> HeldPlace {
        HeldPlace(
            id: hold, kind: .ticket, now: now, expires: now.at(now.moment + .seconds(210)),
            wait: BackendFacts.wait)
    }
}

/// A terminal on which a test types, and of which it sees the last frame.
@MainActor
final class FakeTerminal: TerminalPort {
    let size: GridSize
    var typed: [TerminalEvent] = []
    private(set) var shown = ""
    private(set) var drawings = 0

    init(_ size: GridSize = GridSize(columns: 80, rows: 24)) { self.size = size }

    func draw(_ surface: Surface) {
        drawings += 1
        shown = (0..<surface.size.rows).map { row in
            (0..<surface.size.columns).map { surface[row, $0].text }.joined()
        }.joined(separator: "\n")
    }

    func read() -> [TerminalEvent] {
        defer { typed = [] }
        return typed
    }

    func beep() {}
}

/// A printer that is ready after a time, and whose jobs report nothing.
struct FakePrinter: StaffPrinter {
    var answer: Duration = .zero
    var onPrint: @Sendable () -> Void = {}
    /// What each job reports.
    var progress: [PrintProgress] = []
    var onCondition: @Sendable () -> PrinterCondition = { .ready }

    func condition() async -> PrinterCondition {
        try? await Task.sleep(for: answer)
        return onCondition()
    }

    func print(
        _ page: @escaping Page, _ title: String, _ timeout: @escaping Timeout
    ) -> AsyncStream<PrintProgress> {
        onPrint()
        _ = page(.roll80)
        return AsyncStream { stream in
            for one in progress { stream.yield(one) }
            stream.finish()
        }
    }

    func inspect() async -> PrinterInspection? { nil }

    func cancel(_ job: Int) async -> Bool { false }
}

/// A journal that calls a test with its records, and stores nothing.
struct FakeJournal: JournalPort {
    var onWrite: @Sendable ([JournalRecord]) throws -> Void = { _ in }

    func write(_ records: [JournalRecord]) throws { try onWrite(records) }
    func open() throws -> [OpenRequest] { [] }
    func prune() throws { try onWrite([]) }
    func papers(since: Moment) async throws -> [IssuedPaper] { [] }
    func outcomes(from day: CalendarDay?) async throws -> [PrintTally] { [] }
    func unknownPapers() async throws -> Int { 0 }
    func copied(_ key: AttemptKey, on day: CalendarDay) throws {}
}

struct FakeReceipts: ReceiptPort {
    var onPage: @Sendable (ReceiptContent) -> Void = { _ in }
    var onText: @Sendable (String) throws -> Void = { _ in }
    var onCode: @Sendable (String) -> Void = { _ in }

    func matrix(ofCode text: String) throws -> QRMatrix {
        onCode(text)
        return QRMatrix(side: 21, dark: Array(repeating: true, count: 441))!
    }

    func matrix(ofText text: String) throws -> QRMatrix {
        try onText(text)
        return QRMatrix(side: 25, dark: Array(repeating: true, count: 625))!
    }

    func page(_ content: ReceiptContent, on roll: RollMedia) throws -> ReceiptPage {
        onPage(content)
        return ReceiptPage(.pdf([]), width: 1, length: 1)
    }
}

/// The parts of a machine whose clock stands still.
struct FakeParts: Kiosk.Parts {
    var terminal: any TerminalPort
    var customers: any BackendPort
    var background: any BackendPort { customers }
    var maintenance: any BackendPort { customers }
    var help: any HelpPort = FakeHelp()
    var printer: PrinterPair
    var printers: [any StaffPrinter] = []
    var paper: any ReceiptPort = FakeReceipts()
    var journal: any JournalPort = FakeJournal()
    var staff: any StaffPort
    var speech: (any SpeechPort)?
    var events: EventLog? { nil }
    var themes: Themes { .standard }
    var typeface: Typeface { .blocks }
    var wordings: [String: Strings] { [:] }
    var readerPlace: ReaderPlace? { .below }
    var staffKey: Int? { 10 }
    var helpKey: Int? { 1 }
    var rememberedHelp: ShopHelp?
    var network: NetworkFacts {
        NetworkFacts(address: "https://clup.example", isEncrypted: true, isPinned: true)
    }
    var calls: [CallReport] { [] }
    var clock = Moment(milliseconds: 0)
    var clockOffset: Int { 0 }
    var isNewVersionThere: Bool { false }
    var onRestart: @MainActor () -> Void = {}
    var onRotate: @Sendable () async -> String? = { nil }

    func startNewVersion() {}
    nonisolated func body() async -> MachineIdentity {
        MachineIdentity(diskFree: 50, fingerprint: "abcd", keyDays: 3, version: "9.9")
    }
    nonisolated func rotate() async -> String? { await onRotate() }
    func restart() { onRestart() }
    nonisolated func restartMachine() async -> Bool { false }
    func learned(_ shop: MachineProfile) {}
    func drawn() {}
    nonisolated func log(_ line: String) {}
}
