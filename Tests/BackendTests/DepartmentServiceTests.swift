import BackendAPI
import Reservations
import Testing

@Suite("Departments that customers of visits name, at the backend [rules: departments]")
struct DepartmentServiceTests {
    private static func backend() throws -> TestBackend {
        try TestBackend.withVisits {
            $0.departments = [
                Department(name: "Pescheria", capacity: 1), Department(name: "Vino"),
            ]
        }.0
    }

    private static func hold(_ device: TestDevice, _ departments: String) throws -> WireResponse {
        try device.call(
            .holds,
            """
            {"shop":"ROM1","visit":{"start":"\(TestBackend.saturday)","departments":\(departments)}}
            """)
    }

    /// The level of the first slot of Saturday afternoon for these departments.
    private static func level(_ device: TestDevice, _ departments: String) throws -> Character? {
        let body = "{\"shop\":\"ROM1\",\"departments\":\(departments)}"
        let list = try device.call(.slots, body).decoded(SlotList.self)
        #expect(list.departments == ["Pescheria", "Vino"])
        // The second opening is that of Saturday, from eight o'clock on.
        return list.periods[1].levels.dropFirst(8).first
    }

    @Test("The list names them, and a visit that names a full one is refused [R22, R24]")
    func books() throws {
        let backend = try Self.backend()
        let (device, other) = (TestDevice(backend), TestDevice(backend))
        #expect(try Self.level(device, "[\"Pescheria\"]") == "3")
        let offer = try Self.hold(device, "[\"Vino\",\"Pescheria\",\"Pane\"]")
            .decoded(PlaceOnOffer.self)
        #expect(offer.place.visit?.departments == ["Pescheria", "Vino"])
        let visit = try device.confirm(offer)
        #expect(try device.look(visit).reservation.visit?.departments == ["Pescheria", "Vino"])
        #expect(try Self.level(other, "[\"Pescheria\"]") == "0")
        #expect(try Self.level(other, "[\"Vino\"]") == "3" && Self.level(other, "null") == "3")
        #expect(try Self.hold(other, "[\"Pescheria\"]").problem == .slotTaken)
        let suggested = try other.call(
            .suggestions,
            """
            {"shop":"ROM1","visit":{"start":"\(TestBackend.saturday)","departments":["Pescheria"]}}
            """
        ).decoded(SuggestionList.self)
        #expect(!suggested.isFree && suggested.sameDay.allSatisfy { $0.level == 3 })
        let taken = try Self.hold(other, "[]").decoded(PlaceOnOffer.self)
        #expect(taken.place.visit?.departments == nil)
    }

    @Test("Names that no shop could have are refused")
    func malformed() throws {
        let device = TestDevice(try Self.backend())
        let long = String(repeating: "a", count: 31)
        let nine = (1...9).map { "\"D\($0)\"" }.joined(separator: ",")
        for departments in ["\"Vino\"", "[1]", "[null]", "{}", "[\"\(long)\"]", "[\(nine)]"] {
            #expect(try Self.hold(device, departments).problem == .malformed, "\(departments)")
            let body = "{\"shop\":\"ROM1\",\"departments\":\(departments)}"
            #expect(try device.call(.slots, body).problem == .malformed, "\(departments)")
        }
    }
}
