/// A crowd of called and waiting numbers, played to a display as a feed.
struct DisplayCrowd: CustomStringConvertible {
    let called: Int
    let waiting: Int
    var visits = 0
    /// How many orders are called to desks.
    var orders = 0
    /// The first number.
    var first = 301
    /// How many called numbers are shown at once.
    let seen: Int
    /// The rows of the invitation's symbol; nil for none.
    var invitation: [String]?
    /// Whether it is for the customers of orders only.
    var isForOrders = false

    var description: String {
        "\(called) called, \(waiting) wait, \(visits) visits, \(orders) orders"
    }

    /// A script that replaces the present feed.
    func feed(languages: [String]) -> String {
        """
        const { take } = await import("/web/display.js");
        clearInterval(window.crowd?.feed);
        // A minute past ten, at any real time.
        const begin = Date.parse("2026-11-20T10:01:00Z") - performance.now();
        const at = (later) =>
          new Date(begin + performance.now() + later).toISOString().replace("Z", "+00:00");
        const since = at(-60000);
        const crowd = window.crowd = { next: window.crowd?.next ?? 9e15 };
        const send = () => take({ type: "turns", sequence: crowd.next++, shopName: "Mercato di Città Studi",
          languages: \(languages), now: at(0), open: true, closes: at(36e6), next: [],
          visits: Array.from({ length: \(visits) }, (_, i) =>
            ({ number: 900 + i, start: at((i + 1) * 3e5) })),
          waiting: \(waiting),
          wait: { expected: at(6e5), earliest: at(3e5), latest: at(9e5), peopleAhead: \(waiting) },
          called: Array.from({ length: \(called) }, (_, i) =>
            ({ number: i + \(first), kind: "ticket", since, enterBy: at(3e5) })),
          orders: Array.from({ length: \(orders) }, (_, i) => ({ number: i + 11, desk: i % 3 + 1, since })),
          \(isForOrders ? "arrivalSymbol" : "joinSymbol"): \(invitation.map { "\($0)" } ?? "undefined"),
          times: Array.from({ length: \(waiting) }, (_, i) => [i + \(first + called), i]) });
        send();
        crowd.feed = setInterval(send, 3000);
        """
    }
}
