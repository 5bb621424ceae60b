import BackendAPI
import BackendService
import Reservations
import Testing

@Suite("Readers and machines take the code out of a link [rules 11]")
final class CodeLinkServiceTests: OpenShop {
    /// The links of a code, as readers send them.
    static func links<Subject>(of code: SymbolCode<Subject>) -> [String] {
        let link = code.link(at: "https://any.example.it")
        return [
            link, link.lowercased(), link.replacing("#", with: ""), link.replacing("#", with: "?'"),
            link.replacing(":", with: ">").replacing("/", with: "&").replacing("#", with: "3"),
        ]
    }

    @Test("A machine looks the place of a link up")
    func machine() throws {
        let mine = try machine.reservation()
        for link in Self.links(of: mine.code) {
            let found = try machine.lookUp(link).decoded(FoundReservation.self)
            #expect(found.number == mine.number)
        }
        #expect(try machine.delete(mine.id, Self.links(of: mine.code)[1]).status == 204)
    }

    @Test("A reader at a door and at a check-out lets in and out with a link, in both forms")
    func doors() throws {
        let entrance = try backend.enrol("in", role: .entrance)
        let out = try backend.enrol("out", role: .checkout)
        let mine = try machine.reservation()
        let links = Self.links(of: mine.code)
        #expect(try entrance.enter(links[3]).status == 200)
        #expect(try entrance.enter(mine).problem == .inside)
        #expect(try out.leave(links[4]).status == 200)
        #expect(try entrance.enter(links[0]).problem == .alreadyUsed)
    }

    @Test("A link of another shop is refused as its code is, and one without a place is not found")
    func refused() throws {
        let random = [UInt8](repeating: 1, count: 16)
        let other = EntryCode(tag: ShopTag(rawValue: "MI99")!, random: random)
        let unknown = EntryCode(tag: try machine.reservation().code.tag, random: random)
        for link in Self.links(of: other) {
            #expect(try machine.lookUp(link).problem == .otherShop)
        }
        for link in Self.links(of: unknown) {
            #expect(try machine.lookUp(link).problem == .notFound)
        }
    }
}
