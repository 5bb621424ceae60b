/// Notifies the main actor when one of its descriptors can be read or has hung up.
@MainActor public final class DescriptorWatch {
    private let set = DescriptorSet(queue: .main)

    /// - Parameter ready: called as long as something is left to read; it must remove descriptors that have hung up.
    public init(_ ready: @escaping @MainActor () -> Void) {
        set.report { _ in MainActor.assumeIsolated(ready) }
    }

    /// False with errno if a descriptor cannot be watched, as a file on a disk (EPERM).
    public func add(_ descriptor: Int32) -> Bool { set.add(descriptor, key: 0) }

    /// To be called before a descriptor that was added is closed.
    public func remove(_ descriptor: Int32) { set.remove(descriptor) }
}
