internal import CEpoll
internal import Dispatch
internal import Glibc

/// Says on the main actor that one of its descriptors can be read or has hung up.
///
/// Dispatch watches a set (epoll(7)) with the descriptors in it and never a descriptor that can hang up: on
/// EPOLLHUP it frees its record of a descriptor on the main thread while its own thread still reads that record
/// (swift-corelibs-libdispatch issue 949), which ends the program. A set does not hang up.
@MainActor
public final class DescriptorWatch {
    /// -1 where the system gives no descriptor for it: nothing can be added then.
    private let set: Int32
    private let source: (any DispatchSourceRead)?

    /// - Parameter ready: called as long as something is left to read; it removes what has hung up.
    public init(_ ready: @escaping @MainActor () -> Void) {
        let set = clup_new_set()
        self.set = set
        guard set >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: set, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated(ready) }
        // It stays open until Dispatch has let go of it (dispatch_source_create(3)).
        source.setCancelHandler { close(set) }
        source.activate()
        self.source = source
    }

    isolated deinit { source?.cancel() }

    /// False with errno where a descriptor cannot be watched, as a file on a disk (EPERM).
    public func add(_ descriptor: Int32) -> Bool {
        clup_add_to_set(set, descriptor) == 0
    }

    /// To be called before a descriptor that was added is closed.
    public func remove(_ descriptor: Int32) {
        _ = clup_remove_from_set(set, descriptor)
    }
}
