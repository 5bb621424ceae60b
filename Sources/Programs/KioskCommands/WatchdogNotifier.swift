import ServiceNotice

/// Tells the service manager that frames are drawn: ready with the first one, alive with later ones.
@MainActor
final class WatchdogNotifier {
    private let notice: ServiceNotice
    /// When the manager last heard of us; nil before the first frame.
    private var lastBeat: ContinuousClock.Instant?

    init(_ notice: ServiceNotice) { self.notice = notice }

    /// A frame stands on the screen.
    func drawn() {
        let now = ContinuousClock.now
        guard let lastBeat else {
            notice.ready()
            self.lastBeat = now
            return
        }
        // Half of that is enough, so that a fast finger is not a datagram each.
        guard let interval = notice.beatInterval, now - lastBeat >= interval / 2 else { return }
        notice.beat()
        self.lastBeat = now
    }
}
