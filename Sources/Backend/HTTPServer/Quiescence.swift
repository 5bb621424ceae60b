internal import CMicroHTTPD
private import Glibc
private import Synchronization

/// Takes the listening socket from MHD, on MHD's own thread.
///
/// On another thread both could take it out of the epoll set at once, and MHD 0.9.75 ends the process if the socket
/// is already gone ("Failed to remove listen FD from epoll set").
final class Quiescence: Sendable {
    private enum State: Equatable {
        case serving, wanted
        case quiesced(listening: Int32)
    }

    private let state = Mutex(State.serving)

    /// A connection was opened or closed, and this is MHD's thread.
    func perform(_ connection: OpaquePointer) {
        state.withLock { state in
            guard state == .wanted else { return }
            state = .quiesced(listening: MHD_quiesce_daemon(clup_mhd_daemon(connection)))
        }
    }

    /// The listening socket, on which MHD no longer accepts; nil if MHD's thread did not get to it before the
    /// deadline, as when all connections are in use and none ends.
    func listeningSocket(
        of daemon: OpaquePointer, until deadline: ContinuousClock.Instant
    ) -> Int32? {
        state.withLock { $0 = .wanted }
        repeat {
            Self.callPerform(daemon)
            for _ in 0..<50 {
                if case .quiesced(let listening) = state.withLock({ $0 }) { return listening }
                usleep(1_000)
            }
        } while ContinuousClock.now < deadline
        return state.withLock { state in
            if case .quiesced(let listening) = state { return listening }
            state = .serving
            return nil
        }
    }

    /// Gives MHD a connection that has already ended.
    private static func callPerform(_ daemon: OpaquePointer) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return }
        close(ends[1])
        var name = sockaddr(
            sa_family: sa_family_t(AF_UNIX), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        // MHD closes the connection if it does not accept it.
        MHD_add_connection(daemon, ends[0], &name, socklen_t(MemoryLayout<sa_family_t>.size))
    }
}
