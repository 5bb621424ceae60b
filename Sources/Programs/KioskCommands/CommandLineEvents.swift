import CommandSyntax
import KioskFlow
import KioskJournal
import Reservations
import StaffStore

/// What is done to a machine at its shell stands among its events, beside what is done at its screen.
enum CommandLineEvents {
    /// Writes it down; what cannot be written is told, since the deed itself is done.
    static func note(
        _ what: MachineEvent.What, by command: String, _ configuration: Configuration
    ) {
        do {
            try StaffSubcommand.open(configuration).note(
                MachineEvent(
                    at: Moment(milliseconds: KioskJournal.systemClock()), person: command,
                    what: what))
        } catch {
            printError("This could not be written down among the machine's events: \(error)")
        }
    }
}
