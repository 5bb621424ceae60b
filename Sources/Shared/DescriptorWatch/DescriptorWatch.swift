internal import CEpoll
internal import Dispatch
internal import Glibc

/// Notifies the main actor when one of its descriptors can be read or has hung up.
///
/// Dispatch watches a set (epoll(7)) that contains the descriptors, and never a descriptor that can hang up: on
/// EPOLLHUP it frees its record of a descriptor on the main thread while its own thread still reads that record
/// (swift-corelibs-libdispatch issue 949), which ends the program. A set does not hang up.
@MainActor public final class DescriptorWatch {
    /// -1 if the system gives no descriptor for the set: nothing can be added then.
    private let set: Int32
    private let source: (any DispatchSourceRead)?

    /// - Parameter ready: called as long as something is left to read; it must remove descriptors that have hung up.
    public init(_ ready: @escaping @MainActor () -> Void) {
        let set = clup_new_set()
        self.set = set
        guard set >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: set, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated(ready) }
        // It stays open until Dispatch has released it (dispatch_source_create(3)).
        source.setCancelHandler { close(set) }
        source.activate()
        self.source = source
    }

    isolated deinit { source?.cancel() }

    /// False with errno if a descriptor cannot be watched, as a file on a disk (EPERM).
    public func add(_ descriptor: Int32) -> Bool { clup_add_to_set(set, descriptor) == 0 }

    /// To be called before a descriptor that was added is closed.
    public func remove(_ descriptor: Int32) { _ = clup_remove_from_set(set, descriptor) }
}
