import CommandSyntax
import KioskFlow
import KioskJournal
import Reservations
import StaffStore

/// Commands at a machine's shell are recorded among its events, like those at its screen.
enum CommandLineEvents {
    /// Records an event; if that fails it prints an error, since the command itself was carried out.
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
