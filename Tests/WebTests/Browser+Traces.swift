import TestSupport

extension Browser {
    /// Everything in which a page could leave a text behind it: its address, its history, what it stores and keeps, what it
    /// shows, and what it gives to others.
    ///
    /// - Parameter memory: Whether what the page remembers of its places and orders counts, which other pages do not read.
    func traces(memory: Bool = true) async throws -> String {
        try await run(
            """
            window.traces = "";
            (async () => {
              const texts = [location.href, document.title, JSON.stringify(history.state), document.cookie,
                document.referrer, JSON.stringify({ ...sessionStorage }), document.documentElement.outerHTML,
                ...[...document.querySelectorAll("input")].map((one) => one.value)];
              if (\(memory)) texts.push(JSON.stringify({ ...localStorage }));
              for (const name of await caches.keys()) {
                const cache = await caches.open(name);
                for (const request of await cache.keys()) {
                  texts.push(request.url, await (await cache.match(request)).text());
                }
              }
              for (const one of await navigator.serviceWorker.getRegistrations()) {
                texts.push(one.scope, one.active?.scriptURL);
              }
              for (const { name } of performance.getEntriesByType("resource")) texts.push(name);
              window.traces = texts.join("\\n");
            })();
            """)
        var traces = ""
        _ = await patiently {
            traces = try await value("window.traces")
            return !traces.isEmpty
        }
        return traces
    }
}
