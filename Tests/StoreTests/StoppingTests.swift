internal import Dispatch
internal import Glibc
internal import ReservationStore
internal import Testing

internal import class TestSupport.Flag

@Suite("The end of a store", .stopsStores)
struct StoppingTests {
    @Test("No command is written after the store has stopped, however late it came")
    func late() throws {
        let site = try Site(.sqlite)
        for _ in 0..<60 {
            let store = try site.store()
            let (isStopped, isLate) = (Flag(), Flag())
            let clients = DispatchGroup()
            for client in 1...4 {
                DispatchQueue.global().async(group: clients) {
                    for _ in 0..<20 {
                        store.perform(.make(.hold(.ticket), machine: "door-\(client)")) { result in
                            if case .answered = result, isStopped.isSet { isLate.set() }
                        }
                    }
                }
            }
            usleep(UInt32.random(in: 0...2_000))
            store.stop()
            isStopped.set()
            clients.wait()
            // An answer that came too late would come within this time.
            usleep(5_000)
            #expect(!isLate.isSet)
        }
    }
}
