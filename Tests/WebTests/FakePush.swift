import TestSupport
import Testing

/// What a page sees of the browser's push service and of the backend's part in notices, as a fake within the page: no test
/// may depend on a service in the Internet. What was subscribed and sent is in the page's own storage.
enum FakePush {
    /// A point of P-256 (RFC 8291 appendix A).
    static let key =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"

    static let script = """
        (() => {
          const kept = (name) => JSON.parse(localStorage.getItem(`fake-${name}`) || "null");
          const keep = (name, value) => localStorage.setItem(`fake-${name}`, JSON.stringify(value));
          window.fake = { kept, keep };
          const real = window.fetch;
          window.fetch = async (path, options) => {
            if (/subscription/.test(path)) {
              if (kept("isOffline")) throw new TypeError("no network");
              const call = path.split("/").pop();
              keep("calls", [...kept("calls") || [], { call, ...JSON.parse(options.body) }]);
              const status = kept("status") || 204;
              const problem = JSON.stringify({ type: "urn:clup:problem:push-service-unknown", status });
              const headers = status === 429 ? { "retry-after": "400" } : {};
              return new Response(status === 204 ? null : status === 422 ? problem : "{}", { status, headers });
            }
            if (kept("isForgotten")) return new Response("{}", { status: 404 });
            const answer = await real(path, options);
            if (!["place", "order"].includes(path.split("/").pop()) || answer.status !== 200) return answer;
            while (kept("isLate") && !document.querySelector("#second").textContent) {
              await new Promise((done) => setTimeout(done, 50));
            }
            const place = { ...await answer.json(), pushKey: kept("key") || "\(key)" };
            if (kept("isWithout")) delete place.pushKey;
            return new Response(JSON.stringify(place), { status: 200 });
          };
          const subscription = () => {
            const one = kept("subscription");
            return one && {
              endpoint: one.endpoint,
              toJSON: () => ({ endpoint: one.endpoint, keys: { p256dh: "point", auth: "secret" } }),
              async unsubscribe() { keep("subscription", null); return true; },
            };
          };
          if (!window.PushManager) return;
          PushManager.prototype.getSubscription = async () => subscription();
          PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
            const key = [...applicationServerKey].join(" ");
            const old = kept("subscription");
            if (!userVisibleOnly) throw new DOMException("silent", "NotAllowedError");
            if (old && old.key !== key) throw new DOMException("another key", "InvalidStateError");
            const endpoint = `https://push.example/${crypto.randomUUID()}`;
            if (!old) keep("subscription", { key, endpoint });
            return subscription();
          };
          const ask = Notification.requestPermission.bind(Notification);
          Notification.requestPermission = () => {
            keep("questions", (kept("questions") || 0) + 1);
            return ask();
          };
        })();
        """
}

extension Browser {
    /// Gives the pages that are opened from now on the fake, and the permission for notices at this address.
    func fakePush(at address: String, permission: String = "granted") async throws {
        try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": FakePush.script])
        try await permitNotices(permission, at: address)
    }

    /// Answers the browser's question for its customer: `granted`, `denied` or `prompt`.
    func permitNotices(_ permission: String, at address: String) async throws {
        try await devTools(
            "Browser.setPermission",
            [
                "permission": ["name": "notifications"], "setting": permission, "origin": address,
            ])
    }

    /// Changes what the fake does: the `status` of the backend's answers to subscriptions, whether they are lost
    /// (`isOffline`), whether it knows the place no more (`isForgotten`), whether its socket is faster (`isLate`), the
    /// `key`, or whether there is none (`isWithout`). A status of 429 comes with a `retry-after` of 400 seconds.
    func fake(_ name: String, _ value: String) async throws {
        try await run("window.fake.keep('\(name)', \(value))")
    }

    /// Subscriptions that the page has sent: the call, the capability and the language of each.
    func sentSubscriptions() async throws -> [String] {
        try await value(
            "(window.fake.kept('calls') || []).map((one) =>"
                + "[one.call, one.capability.slice(8, 12), one.language].filter(Boolean).join(' ')).join()"
        ).split(separator: ",").map { String($0) }
    }

    /// The endpoint that the browser is subscribed with; empty if it is not.
    func endpoint() async throws -> String {
        try await value("(window.fake.kept('subscription') || {}).endpoint")
    }

    /// The endpoint that the page's worker would replace for a place; empty if the page has kept none for it.
    func keptEndpoint(of link: String) async throws -> String {
        try await run(
            """
            const kept = await caches.match("/notices/t/\(link.suffix(38))", { cacheName: "clup-notices" });
            window.kept = kept ? (await kept.json()).body.endpoint : "";
            """)
        return try await value("window.kept")
    }

    /// Opens the page of a place in English and turns its notices on.
    func turnOnNotices(of link: String) async throws {
        try await open(link, in: "en")
        #expect(await waits(forNotices: "Notify me"))
        try await pressNotify(Self.noticesAreOn)
    }

    func noticesText() async throws -> String {
        try await text(ofPart: "[aria-labelledby=notices]")
    }

    /// Touches the button for notices; then the page's part for them comes to say this.
    func pressNotify(
        _ words: String, in state: String = "", at place: SourceLocation = #_sourceLocation
    ) async throws {
        try await press("#notify")
        #expect(await waits(forNotices: words), "\(words) \(state)", sourceLocation: place)
    }

    static let noticesAreOn = "Notifications are on."

    /// Waits until the page's part for notices says this.
    func waits(forNotices words: String) async -> Bool {
        await patiently { try await noticesText().contains(words) }
    }
}
