import KioskFlow
import Reservations
import TestSupport
import Testing

@Suite("Delete a reservation [UC13], or see its status")
struct DeletionTests {
    @Test("Only after typed digits is the customer asked to check the digits")
    func typedOrScanned() throws {
        for isTyped in [true, false] {
            var machine = FlowMachine.scanning()
            if isTyped { machine.types("4444444444") } else { machine.scans("4444444444") }
            machine.answersLookUp(.failure(.refusal(.notFound)))
            let typed = try machine.shown(KioskState.codeRefused).typed
            #expect(typed == (isTyped ? "4444444444" : nil))
        }
    }

    @Test("The ticket is held to the reader, the reservation is shown, Confirm deletes it")
    func wholeJob() throws {
        var machine = FlowMachine.scanning().reading(Facts.code.rawValue)
        machine.expectLookUp(.reservation(.entry(Facts.code)))
        machine.answersLookUp(.success(Facts.found()))
        machine.touchesLater(.giveUp)
        machine.expectEffects(
            .backend(.delete(Facts.hold, .entry(Facts.code), AttemptKey("test-2"))))
        machine.answersDeletion(nil)
        #expect(machine.effects == [.refresh])
        #expect(try machine.shown(KioskState.deleted).number.rawValue == 42)
        machine.goesHome(after: .seconds(20))
    }

    @Test("Ten typed digits are looked up, fewer are not, an eleventh is not taken")
    func typed() {
        var machine = FlowMachine.scanning()
        machine.types("041938451", expecting: [])
        machine.touches(.digit(7))
        machine.touches(.erase)
        machine.touches(.digit(2))
        machine.touchesInTurn(.digit(9))
        machine.touches(.enterCode)
        machine.expectLookUp(.reservation(.typed(TypedCode(rawValue: "0419384512")!)))
    }

    @Test("The digits of a refused code stay, and one of them can be changed")
    func correctedDigit() throws {
        for sought in Sought.allCases {
            var machine = FlowMachine.atHomeWithDesk().touching(sought.search)
            machine.types("0419384527")
            switch sought {
            case .reservation: machine.answersLookUp(.failure(.refusal(.notFound)))
            case .order: machine.answersOrder(.failure(.refusal(.notFound)))
            }
            machine.touchesLater(sought.search)
            var scanning: Scanning { get throws { try machine.shown(KioskState.scanning) } }
            #expect(try scanning.digits == "0419384527" && scanning.marked == 0)
            machine.touchesInTurn(.keepDigit, .keepDigit, .keepDigit, .erase, .digit(5))
            #expect(try scanning.digits == "0459384527" && scanning.marked == 3)
            // The first digit follows the last one, and typing goes no further than the last one.
            for digit in [9, 3, 8, 4, 5, 2, 6, 7] { machine.touches(.digit(digit)) }
            #expect(try scanning.digits == "0459384526" && scanning.marked == nil)
            machine.touches(.keepDigit)
            #expect(try scanning.marked == 0)
            machine.touchesInTurn(.enterCode)
            let looking = try requireCase(KioskState.lookingUp, of: machine.flow.state)
            #expect(looking.code.text == "0459384526" && looking.typed == "0459384526")
        }
    }

    @Test("After a code without a reservation the ticket is asked for again, and no digit is left")
    func secondTry() throws {
        var machine = FlowMachine.scanning().touching(.digit(4)).reading("rubbish")
        machine.touchesLater(.findReservation)
        #expect(try machine.shown(KioskState.scanning).digits.isEmpty)
    }

    @Test("Text that is no code is never sent", arguments: ["", "12345", "CLUP:2:X", "\u{1B}[2J"])
    func unreadable(text: String) {
        #expect(FlowMachine.scanned(text).effects.isEmpty)
    }

    @Test(
        "The symbol for phones is named, wherever a code is taken, and is never sent",
        arguments: [FlowMachine.atHome(), .scanning()])
    func symbolForPhones(start: FlowMachine) throws {
        var machine = start
        machine.scans("https://clup.example/t#CSTD0M99001A7K2M9QX4T1RB8VZ0HN5EWYJ3PA")
        #expect(machine.effects.isEmpty)
        let refused = try requireCase(KioskState.codeRefused, of: machine.flow.state)
        #expect(refused.reason == .symbolForPhones && refused.typed == nil)
        machine.touches(.findReservation)
        machine.scans(Facts.code.rawValue)
        #expect(machine.flow.state.name == "lookingUp")
    }

    @Test(
        "Each line of the symbol for calendars is named, through every keyboard, and is never sent",
        arguments: [
            "BEGIN:VEVENT", "begin:vevent", "UID:0193a1b2@clup.example", "DTSTART:20261121T090000Z",
            "SUMMARY:042 Supermercato", "LOCATION:Via Roma 1", "END:VEVENT", "BEGINçVEVENT",
            "SUMMARZÖ042 Supermercato", "DTSTQRTM20261121T090000W", "LOCATIONÑVia Roma",
        ])
    func symbolForCalendars(text: String) throws {
        let machine = FlowMachine.scanning().reading(text)
        #expect(machine.effects.isEmpty)
        let refused = try requireCase(KioskState.codeRefused, of: machine.flow.state)
        #expect(refused.reason == .symbolForCalendars && refused.typed == nil)
        // The event log has nothing of the visit, and a replay takes the same path.
        let written = KioskEvent.codeRead(text).withoutSecrets(afterDigits: 0)
        #expect(written == .codeRead("BEGIN:VEVENT"))
    }

    /// States in which a scan has no effect (rules: scans).
    static let elsewhere: [FlowMachine] = [
        .atHome().touching(.getTicket), .offering(), .soldOut(), .confirming(),
        .scanned(Facts.code.rawValue), .found(), .found().touching(.giveUp), .offeringDelays(),
        .found(Facts.missed()), .found(Facts.missed()).touching(.reclaim), .closed(), .broken(),
    ]

    @Test("A scan in the middle of another task is only a beep", arguments: Self.elsewhere)
    func noUse(_ start: FlowMachine) {
        var machine = start
        machine.waits(.seconds(1))
        let before = machine.flow.state
        for text in [Facts.code.rawValue, "rubbish", ""] {
            machine.scans(text)
            #expect(machine.effects == [.beep])
            #expect(machine.flow.state == before)
        }
    }

    @Test("A scan at Home opens the reservation at once, also after one that had no answer")
    func scanAtHome() throws {
        let scanned = FlowMachine.scanned(Facts.code.rawValue)
        let failed = scanned.after { $0.answersLookUp(.failure(.unanswered)) }
        let requestFailed = try requireCase(KioskState.requestFailed, of: failed.flow.state)
        #expect(requestFailed.reason == .network && requestFailed.change == nil)
        // The next attempt needs no touch before it.
        for var machine in [scanned, failed.reading(Facts.code.rawValue)] {
            machine.answersLookUp(.success(Facts.found()))
            #expect(try machine.shown(KioskState.found).reservation == Facts.found())
        }
    }

    @Test("A deletion without an answer is not shown as done")
    func unknown() throws {
        var machine = FlowMachine.found().touching(.giveUp)
        machine.answersDeletion(.unanswered)
        #expect(try machine.shown(KioskState.requestFailed).change == .deletion)
    }

    @Test("Late answers of a look-up or a deletion change nothing")
    func late() {
        var machine = FlowMachine.scanned(Facts.code.rawValue).waiting(.seconds(1))
        machine.touches(.cancel)
        machine.does(.backend(.found(AttemptKey("test-1"), .success(Facts.found()))))
        #expect(machine.flow.state == .home)
        machine.does(.backend(.deleted(AttemptKey("test-1"), nil)))
        #expect(machine.flow.state == .home)
    }
}
