import KioskFlow
import KioskScreens
import Reservations
import TerminalSurface
import Testing

/// What is seen while one screen takes the place of another.
struct ChangeTests {
    private let size = Screens.smallest

    private func frame(
        _ name: String, _ typeface: Typeface, _ appearance: Appearance = .normal
    ) -> Frame {
        Samples.named(name).drawn(size, appearance, typeface)
    }

    @Test("A change of a customer's screen takes at most 200 ms and ends with the new screen")
    func customers() throws {
        let typeface = try OwnFont.typeface()
        for (former, next) in [("home", "offer"), ("offer", "issued-printing"), ("offer", "home")] {
            let (former, next) = (frame(former, typeface), frame(next, typeface))
            let pictures = next.change(from: former)
            #expect(pictures.count > 1 && pictures.last == next.surface)
            #expect(Frame.changePause * (pictures.count - 1) <= .milliseconds(200))
            #expect(Set(pictures + [former.surface]).count == pictures.count + 1)
        }
    }

    @Test("The number and the code slide out below the header while the ticket is printed")
    func ticket() throws {
        let typeface = try OwnFont.typeface()
        let (offer, issued) = (frame("offer", typeface), frame("issued-printing", typeface))
        let first = try #require(issued.change(from: offer).first)
        // The row of the header is there at once; below it stands a row from further down.
        #expect(first.rows()[0] == issued.surface.rows()[0])
        let row = try #require(issued.surface.rows().dropFirst(2).firstIndex(of: first.rows()[1]))
        #expect(row > 5)
    }

    @Test("Nothing moves in large, contrasted or block letters, for the staff, on the same screen")
    func still() throws {
        let typeface = try OwnFont.typeface()
        for (appearance, typeface) in [
            (Appearance.large, typeface), (.inverted, typeface), (.normal, Typeface.blocks),
        ] {
            let former = frame("home", typeface, appearance)
            #expect(frame("offer", typeface, appearance).change(from: former).count == 1)
        }
        let home = frame("home", typeface)
        #expect(frame("staff-overview", typeface).change(from: home).count == 1)
        #expect(frame("home-calling-6", typeface).change(from: home).count == 1)
        #expect(frame("warning", typeface).change(from: home).count == 1)
        #expect(home.change(from: nil) == [home.surface])
    }
}
