import CommandSyntax
import ReservationStore
import Testing

@testable import BackendCommands

@Suite("The exit status of refusals by the store")
struct StoreStatusTests {
    @Test(
        "The command may succeed later if the store is busy, full or out of reach",
        arguments: [
            (.busy, .temporary), (.full, .temporary), (.lost, .temporary),
            (.overloaded, .temporary), (.conflict, .temporary), (.corrupt, .failure),
            (.refused, .failure), (.served, .failure),
        ] as [(StoreError.Code, CommandSyntax.ExitStatus)])
    func status(code: StoreError.Code, status: CommandSyntax.ExitStatus) {
        let error = StoreError(code, operation: "read", "It cannot be read.") as any CommandFailure
        #expect(error.status == status && error.description == "It cannot be read.")
    }
}
