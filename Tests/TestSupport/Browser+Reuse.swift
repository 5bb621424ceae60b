import Glibc
import Synchronization

// To start a browser takes seconds of computing, and most tests of pages need one.
extension Browser {
    /// Browsers that no test uses.
    private static let idle = Mutex<[Browser]>([])
    /// Whether they end with this process.
    private static let endsWithProcess: Bool = {
        atexit {
            for browser in Browser.idle.withLock({ $0 }) {
                browser.endBlocking()
            }
        } == 0
    }()

    /// A browser that no test uses, if there is one.
    static func takeIdle(_ engine: Engine) -> Browser? {
        idle.withLock { idle in
            idle.lastIndex { $0.engine == engine }.map { idle.remove(at: $0) }
        }
    }

    /// Leaves this browser to another test, as it was when it was started; or ends it, if it cannot be made so.
    ///
    /// What DevTools sets for a page ends with its window. What all windows share is cleared, and so is what was stored for
    /// the addresses that were opened: other backends may listen there later.
    func giveBack() async {
        do {
            let former = try await windows()
            let own = try await openWindow()
            for handle in former {
                try await turn(to: handle)
                try await closeWindow()
            }
            try await turn(to: own)
            for origin in originsOpened.withLock({ $0 }) {
                try await devTools(
                    "Storage.clearDataForOrigin", ["origin": origin, "storageTypes": "all"])
            }
            originsOpened.withLock { $0 = [] }
            try await devTools("Network.clearBrowserCookies")
            try await devTools("Network.clearBrowserCache")
            try await devTools("Browser.resetPermissions")
            guard Self.endsWithProcess else { return await end() }
            Self.idle.withLock { $0.append(self) }
        } catch {
            await end()
        }
    }
}
