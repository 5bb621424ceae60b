import KioskFlow
import Reservations
import TerminalSurface
import Testing

@testable import KioskScreens

struct WaitTests {
    private func wait(_ expected: String, _ earliest: String, _ latest: String, ahead: Int) -> Wait
    {
        let estimate = Samples.estimate(expected, earliest, latest, ahead: ahead)
        return Wait(estimate: estimate, quotedAt: Samples.noon)
    }

    @Test("A wait is rounded to avoid false precision, never below the expected one")
    func minutes() {
        #expect(wait("14:05:01", "14:05:00", "14:10:00", ahead: 1).minutes == 1)
        #expect(wait("14:12:30", "14:05:00", "14:20:00", ahead: 1).minutes == 8)
        #expect(wait("14:15:00", "14:05:00", "14:20:00", ahead: 1).minutes == 10)
        #expect(wait("14:15:01", "14:05:00", "14:20:00", ahead: 1).minutes == 15)
        #expect(wait("15:24:00", "15:10:00", "15:45:00", ahead: 1).minutes == 80)
    }

    @Test("Times are rounded outwards to five minutes, but not into the past")
    func times() {
        let text = Strings.english.comeIn(
            wait("14:28:10", "14:26:00", "14:38:59", ahead: 9))
        #expect(text == "You can come in between 14:25 and 14:40.")
        let early = Samples.estimate("14:07:30", "14:07:30", "14:09:00", ahead: 1)
        let near = Wait(estimate: early, quotedAt: early.earliest)
        #expect(Strings.english.comeIn(near) == "You can come in between 14:07 and 14:10.")
    }

    @Test("A customer without a wait is asked to come in")
    func now() {
        #expect(wait("14:05:00", "14:05:00", "14:06:00", ahead: 0).isNow)
        #expect(!wait("14:05:00", "14:05:00", "14:06:00", ahead: 1).isNow)
        #expect(!wait("14:06:00", "14:05:00", "14:06:00", ahead: 0).isNow)
        #expect(
            Strings.english.enterBy(Samples.quarterPast) == "Please come in now, by 14:15.")
    }

    @Test("Home shows the wait as a range, from nothing to hours")
    func home() {
        let english = Strings.english
        #expect(
            english.waitForTicket(RoundedWait(wait("14:28:10", "14:26:00", "14:39:00", ahead: 9)))
                == "20–35 minutes")
        #expect(
            english.waitForTicket(RoundedWait(wait("14:07:00", "14:05:00", "14:11:00", ahead: 1)))
                == "up to 10 minutes")
        #expect(
            english.waitForTicket(RoundedWait(wait("15:24:00", "15:10:00", "15:45:00", ahead: 30)))
                == "about 1 h 20 min")
        #expect(english.minutes(60) == "1 hour" && english.minutes(1) == "1 minute")
        #expect(english.countdown(171) == "2:51" && english.countdown(9) == "0:09")
    }

    @Test(
        "Home says that no customer waits only if no held place is ahead either",
        arguments: Languages.codes)
    func noneAhead(language: String) throws {
        // Every place is taken, and the next customer is the first or the second to wait.
        func home(ahead: Int) -> [String] {
            let wait = Samples.estimate("14:28:10", "14:26:00", "14:39:00", ahead: ahead)
            return Samples.scene(.home, queue: Samples.queue(wait: wait, calling: [], waiting: 0))
                .drawn(GridSize(100, 30), in: language).spoken.sentences
        }
        let sentence = try #require(Languages.all[language]).text("Nobody is waiting.")
        #expect(home(ahead: 0).contains(sentence))
        // A customer decides at another machine: no customer has a number, and one is ahead.
        #expect(!home(ahead: 1).contains(sentence))
    }

    @Test("The paper has number, person, times and code in the customer's language")
    func paper() {
        let content = Samples.paper(
            Samples.reservation(shop: "Città\u{1B}[31m \u{202E}Studi"), in: "it")
        #expect(content.shopName == "Città[31m Studi")
        #expect(content.kind == "Biglietto per venerdì 20 novembre")
        #expect(content.number == "042" && content.typedCode == "0419 384 512")
        #expect(content.facts.contains(.init(label: "Vale per", value: "una persona")))
        #expect(content.entry == .init(label: "Ingresso previsto", value: "14:25–14:40"))
        #expect(content.footer == "Emesso alle 14:05 – door-1")
        #expect(content.instructions.count == 3)
        let long = Samples.paper(
            Samples.reservation(shop: String(repeating: "Città ", count: 40)), in: "it",
            machine: "door\u{1B}[2J\n" + String(repeating: "1", count: 40))
        #expect(long.shopName.count <= 60 && long.shopName.hasPrefix("Città Città"))
        #expect(long.footer.hasPrefix("Emesso alle 14:05 – door[2J"))
        #expect(long.footer.count <= 60 && !long.footer.contains { $0.isNewline })
        let now = Samples.paper(
            Samples.reservation(wait: Samples.now, enterBy: Samples.quarterPast))
        #expect(now.entry == .init(label: "Come in now", value: "by 14:15"))
        #expect(!now.instructions.joined().contains("Watch the display"))
        // No customer is ahead, but this one is not called yet.
        let next = Samples.paper(Samples.reservation(wait: Samples.now))
        #expect(next.entry == .init(label: "Expected entry", value: "14:05–14:10"))
        #expect(next.instructions.first?.hasPrefix("Watch the display") == true)
        #expect(now.mark == nil)
        let copy = Samples.paper(in: "it", isCopy: true)
        #expect(copy.mark == "COPIA" && copy.kind == "Biglietto per venerdì 20 novembre")
        let visit = Samples.paper(Samples.reservation(visit: Samples.tomorrow))
        #expect(visit.kind == "Visit on Saturday 21 November")
        #expect(visit.entry == .init(label: "Come at", value: "15:00"))
        #expect(visit.instructions.first == "Please be here on Saturday 21 November at 15:00.")
        let toCancel = "To cancel, show this ticket to the ticket machine."
        #expect(visit.instructions.last == toCancel)
        // A visit cannot wait longer, and a customer who is called comes in now.
        for (reservation, expected) in [
            (
                Samples.reservation(),
                "To get more time or to cancel, show this ticket to the ticket machine."
            ),
            (Samples.reservation(visit: Samples.tomorrow), toCancel),
            (Samples.reservation(enterBy: Samples.quarterPast), toCancel),
        ] {
            let paper = Samples.paper(reservation, allowsDelays: true)
            #expect(paper.instructions.last == expected)
        }
    }
}
