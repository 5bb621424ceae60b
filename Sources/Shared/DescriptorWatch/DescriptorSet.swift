private import CEpoll
public import Dispatch
private import Glibc

/// Reports which of its descriptors can be read or written or have hung up.
///
/// Dispatch watches a set (epoll(7)) that contains the descriptors, and never a descriptor that can hang up: on
/// EPOLLHUP it frees its record of a descriptor on one thread while another still uses that record
/// (swift-corelibs-libdispatch issue 949), which ends the program. A set does not hang up.
///
/// Unchecked: every thread may change a set (epoll(7)) and use a source of Dispatch.
public final class DescriptorSet: @unchecked Sendable {
    /// A descriptor that has something to report.
    public struct Ready: Sendable {
        /// The number given for it.
        public let key: UInt64
        /// It can be read, has hung up or has an error.
        public let canRead: Bool
        public let canWrite: Bool
    }

    /// -1 if the system gives no descriptor for the set: nothing can be added then.
    private let set: Int32
    private let source: (any DispatchSourceRead)?

    /// - Parameter queue: where it reports.
    public init(queue: DispatchQueue) {
        let set = clup_new_set()
        self.set = set
        guard set >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: set, queue: queue)
        // It stays open until Dispatch has released it (dispatch_source_create(3)).
        source.setCancelHandler { close(set) }
        self.source = source
    }

    deinit {
        source?.cancel()
        // A source that was never activated is not cancelled before it is.
        source?.activate()
    }

    /// Begins to report; to be called once.
    ///
    /// - Parameter ready: called with each descriptor that is ready, again and again until its bytes are read, no writing
    ///   is wanted any more or it is removed. A descriptor removed by an earlier call may be reported once more.
    public func report(_ ready: @escaping @Sendable (Ready) -> Void) {
        source?.setEventHandler { [set] in
            withUnsafeTemporaryAllocation(of: clup_ready.self, capacity: Int(clup_most_ready)) {
                let count = clup_take_ready(set, $0.baseAddress)
                for event in $0.prefix(max(0, Int(count))) {
                    ready(
                        Ready(key: event.key, canRead: event.can_read, canWrite: event.can_write))
                }
            }
        }
        source?.activate()
    }

    /// False with errno if a descriptor cannot be watched, as a file on a disk (EPERM).
    public func add(_ descriptor: Int32, key: UInt64) -> Bool {
        clup_add_to_set(set, descriptor, key) == 0
    }

    /// Whether the descriptor is reported, too, when it can be written.
    public func watch(_ descriptor: Int32, key: UInt64, forWriting writing: Bool) {
        _ = clup_watch_for_writing(set, descriptor, key, writing)
    }

    /// To be called before a descriptor that was added is closed.
    public func remove(_ descriptor: Int32) { _ = clup_remove_from_set(set, descriptor) }
}
