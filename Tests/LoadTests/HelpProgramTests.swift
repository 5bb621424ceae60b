import BackendAPI
import Foundation
import Reservations
import TestSupport
import Testing

@Suite("The program that calls the staff in another way (rules: help-staff)")
struct HelpProgramTests {
    @Test(
        "It runs a minute after a call that no staff member answers, and each minute again; one that hangs delays nothing"
    )
    func runs() async throws {
        let folder = try TemporaryFolder()
        let program = try folder.writeProgram(
            """
            #!/bin/sh
            echo "$*" >> '\(folder.file("log"))'
            [ ! -e '\(folder.file("hangs"))' ] || sleep 600

            """, to: "call-staff")
        func log() -> [String] {
            let text = try? String(contentsOfFile: folder.file("log"), encoding: .utf8)
            return (text ?? "").split(separator: "\n").map(String.init)
        }
        var plan = LoadChain.Plan(machines: 1, hasDoors: true, isDemonstration: true)
        plan.staffPages = 1
        plan.surroundings.options = [
            "--help-command", program, "--clock", "control:\(folder.file("clock"))",
        ]
        try await LoadChain.with(.sqlite, plan) { chain in
            let clock = try ClockControl(folder.file("clock"))
            let call = try chain.machine(0).insist(.help).decoded(HelpCall.self)
            /// Sets the queue's clock so many seconds after the call.
            func set(_ seconds: Int) throws {
                let moment = call.since.at(call.since.moment + .seconds(seconds))
                try clock.carryOut("set \(moment)")
            }
            for minute in 1...4 {
                if minute == 3 { _ = try folder.write("".utf8, to: "hangs") }
                try set(minute * 60 + 1)
                #expect(await eventually { log().count == minute }, "\(log())")
                #expect(log().last == "SH00 machine-0 \(call.since) \(minute)")
            }
            #expect(try chain.folder.logs().contains("\"help-unanswered\""))
            let page = chain.staffPage(0)
            #expect(try page.insist(.helpAcknowledgement(call.id), "{}").status == 200)
            try set(6 * 60)
            // A queue's own look comes twice a second, and a start would be in the log within it.
            try await ContinuousClock().sleep(for: .seconds(2))
            #expect(log().count == 4)
        }
    }

    @Test("A program that cannot be run is refused at the start")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write("no program".utf8, to: "plain")
        var plan = LoadChain.Plan(machines: 1)
        plan.surroundings.options = ["--help-command", plain]
        await #expect(throws: TestSupportError.self) {
            try await LoadChain.with(.sqlite, plan) { _ in }
        }
    }
}
