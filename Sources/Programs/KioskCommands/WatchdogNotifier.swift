import ServiceNotice

/// Notifies the service manager that frames are drawn: ready with the first one, alive with later ones.
@MainActor final class WatchdogNotifier {
    private let notice: ServiceNotice
    /// The time of the last notification; nil before the first frame.
    private var lastBeat: ContinuousClock.Instant?

    init(_ notice: ServiceNotice) { self.notice = notice }

    func drawn() {
        let now = ContinuousClock.now
        guard let lastBeat else {
            notice.ready()
            self.lastBeat = now
            return
        }
        // Half of the interval is enough, so that fast input does not cause a datagram for each frame.
        guard let interval = notice.beatInterval, now - lastBeat >= interval / 2 else { return }
        notice.beat()
        self.lastBeat = now
    }
}
