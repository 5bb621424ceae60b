import CommandSyntax
import Glibc

/// The exclusive right to use a state directory: two machines with one would take each other's places.
///
/// It is an advisory lock (flock(2)): the system releases it when the process ends, for whatever reason.
final class StateLock: Sendable {
    private let descriptor: Int32

    init(state: String) throws {
        let file = "\(state)/kiosk.lock"
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw Self.noDirectory(state) }
            throw CommandError.system(errno) { "\(file) cannot be written: \($0)." }
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // `deinit` closes the file, as the value is completely initialised.
            throw CommandError.temporary(
                "Another clup-kiosk runs with the state directory \(state): stop it first, or give "
                    + "this machine a directory and a key of its own (--state, clup-kiosk enrol).")
        }
    }

    deinit { close(descriptor) }

    static func noDirectory(_ state: String) -> CommandError {
        .configuration(
            "There is no state directory \(state): \"clup-kiosk enrol\" makes it, and the machine's "
                + "key in it.")
    }
}
