import KioskFlow
import Reservations
import TestSupport

extension FlowMachine {
    /// A machine with a staff member logged in, on a screen of maintenance mode.
    static func inside(_ role: StaffPerson.Role = .manager, on screen: StaffScreen) -> FlowMachine {
        var machine = atHome(isStaffKnown: true)
        machine.does(.staffAsked)
        machine.types("739146")
        machine.answersPIN(.person(StaffPerson(name: "Giulia", role: role)))
        machine.waits(.seconds(1))
        machine.touches(.openStaff(screen))
        machine.waits(.seconds(1))
        return machine
    }

    /// The session in maintenance mode; a test outside of it ends here.
    func staffSession() throws -> StaffSession {
        try requireCase(KioskState.staff, of: flow.state)
    }
}
