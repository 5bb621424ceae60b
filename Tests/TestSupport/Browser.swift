import BackendAPI
import Foundation
import Glibc
import Synchronization

/// A real browser without a window that a person sees, driven over W3C WebDriver: Chromium by chromedriver(1), or WebKit's
/// engine, which is also that of iPhones, in its own small browser.
public final class Browser: DrivenPage {
    public enum Engine: Sendable {
        /// Chromium without what belongs to its windows, as Debian's chromium-headless-shell: it computes a quarter as
        /// much, and shows no notices.
        case headlessShell
        /// Chromium as customers and the kiosk have it.
        case chromium
        case webKit
    }

    /// What a test gets that names no engine.
    @TaskLocal public static var usual = Engine.headlessShell

    let engine: Engine
    private let driver: RunningProgram
    /// The screen of a browser that must have one.
    private let screen: VirtualScreen?
    /// Where the driver listens.
    private let port: UInt16
    /// The port of a driver that cannot choose one itself and say which.
    private let reserved: ReservedPort?
    private let session: String
    private let folder: TemporaryFolder
    /// The schemes, names and ports of the addresses that were opened.
    let originsOpened = Mutex<Set<String>>([])

    private init(
        _ engine: Engine, width: Int, height: Int, playsUntouched: Bool
    ) async throws {
        self.engine = engine
        folder = try TemporaryFolder()
        screen =
            engine == .webKit ? try await VirtualScreen(width: width, height: height) : nil
        let log = folder.file("driver.log")
        // The certificate of a proxy is one of the test's own.
        var capabilities: [String: Any] = [
            "acceptInsecureCerts": true,
            // In milliseconds: a page on a busy computer may need more than the usual 30 seconds.
            "timeouts": ["script": 80_000],
        ]
        switch engine {
        case .headlessShell, .chromium:
            reserved = nil
            (driver, port) = try await Self.chromedriver(log: log)
            let isShell = engine == .headlessShell
            capabilities["browserName"] = isShell ? "chrome-headless-shell" : "chrome"
            // The options of the kiosk's browser; root has no sandbox.
            capabilities["goog:chromeOptions"] = [
                "binary": isShell ? "/usr/bin/chromium-headless-shell" : "/usr/bin/chromium",
                "args": [
                    // Letters are drawn as on Debian without settings of a desktop.
                    isShell ? "--font-render-hinting=slight" : "--headless=new",
                    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                    "--force-device-scale-factor=1", "--window-size=\(width),\(height)",
                    "--user-data-dir=\(folder.file("profile"))", "--hide-scrollbars",
                    "--autoplay-policy="
                        + (playsUntouched
                            ? "no-user-gesture-required" : "document-user-activation-required"),
                ],
            ]
        case .webKit:
            let reserved = try ReservedPort()
            self.reserved = reserved
            port = reserved.number
            driver = try Tool.start(
                "WebKitWebDriver", ["--port=\(port)", "--host=127.0.0.1"],
                environment: [
                    "DISPLAY": screen?.display ?? "", "HOME": folder.path,
                    "XDG_DATA_HOME": folder.file("data"), "XDG_CACHE_HOME": folder.file("cache"),
                ], output: log)
            capabilities["webkitgtk:browserOptions"] = [
                "binary": "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
                "args": ["--automation", "--full-screen"],
            ]
        }
        let wanted: [String: Any] = ["capabilities": ["alwaysMatch": capabilities]]
        do {
            let port = port
            var trouble = "it is not there"
            let isReady = await eventually(within: longTimeout) {
                do {
                    try await Self.send("GET", port, "/status", nil)
                    return true
                } catch {
                    trouble = "\(error)"
                    return false
                }
            }
            guard isReady else {
                throw TestSupportError("the browser's driver did not start: \(trouble)")
            }
            guard
                let made = try await Self.send("POST", port, "/session", wanted)
                    as? [String: Any], let session = made["sessionId"] as? String
            else { throw TestSupportError("the browser's driver made no session") }
            self.session = session
        } catch {
            await driver.stop()
            await screen?.stop()
            throw error
        }
        switch engine {
        case .headlessShell, .chromium:
            // The headless shell would keep what a page has saved in the folder of its process.
            try await devTools(
                "Browser.setDownloadBehavior",
                ["behavior": "allow", "downloadPath": folder.file("saved")])
            try await resize(width, height)
        case .webKit:
            try await command(
                "window/rect", ["x": 0, "y": 0, "width": width, "height": height])
        }
    }

    /// chromedriver, and the port that it has chosen and says. It chooses one of IPv6, and ends if another program has the
    /// same one of IPv4; it is then started again.
    private static func chromedriver(log: String) async throws -> (RunningProgram, UInt16) {
        func said() -> String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
        for start in 1... {
            let driver = try Tool.start("chromedriver", ["--port=0"], output: log)
            var port: UInt16 = 0
            do {
                try await driver.waits("chromedriver", log: log) {
                    port =
                        said().firstMatch(of: #/successfully on port (\d+)\./#)
                        .flatMap { UInt16($0.1) } ?? 0
                    return port != 0
                }
                return (driver, port)
            } catch {
                guard start < 5, said().contains("port not available") else { throw error }
            }
        }
        preconditionFailure("the loop ends with a browser or an error")
    }

    /// A browser with nothing in it, which no other test uses before the body has ended.
    ///
    /// - Parameters:
    ///   - playsUntouched: whether pages may make sounds before they are touched, as the kiosk's browser lets them.
    ///   - isNew: whether no other test has used it, for one that counts what the browser numbers.
    public static func with<Value>(
        _ engine: Engine = Browser.usual, width: Int = 1_920, height: Int = 1_080,
        playsUntouched: Bool = true, isNew: Bool = false,
        file: String = #fileID, function: String = #function,
        body: (Browser) async throws -> Value
    ) async throws -> Value {
        // WebKit's has its own screen, and the sounds of pages are an option at the start.
        let isUsual = engine != .webKit && playsUntouched
        let browser: Browser
        if isUsual, !isNew, let idle = takeIdle(engine) {
            browser = idle
            try await browser.resize(width, height)
        } else {
            browser = try await Browser(
                engine, width: width, height: height, playsUntouched: playsUntouched)
        }
        let value: Result<Value, any Error>
        do {
            value = .success(try await body(browser))
        } catch {
            value = .failure(error)
        }
        if let trace = Traces.path("page.jpeg", of: file, function) {
            try? await browser.sketch(trace)
        }
        if case .success = value, isUsual {
            await browser.giveBack()
        } else {
            await browser.end()
        }
        return try value.get()
    }

    func end() async {
        _ = try? await Self.send("DELETE", port, "/session/\(session)", nil)
        await driver.stop()
        await screen?.stop()
    }

    /// As `end`, for a browser without a screen, but the calling thread waits.
    func endBlocking() {
        _ = try? Self.exchange("DELETE", port, "/session/\(session)", Data())
        driver.stopBlocking()
    }

    /// A command of Chromium's DevTools Protocol; gives its answer.
    @discardableResult
    public func devTools(
        _ name: String, _ parameters: [String: Any] = [:]
    ) async throws -> [String: Any] {
        try await command("goog/cdp/execute", ["cmd": name, "params": parameters])
            as? [String: Any] ?? [:]
    }

    /// Resizes Chromium's page to this size: the window has borders of its own.
    public func resize(_ width: Int, _ height: Int) async throws {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    }

    /// Shows Chromium's page as on a device whose owner prefers dark pages.
    public func darken() async throws {
        try await devTools(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": "dark"]]])
    }

    public func open(_ url: String) async throws {
        let origin = url.split(separator: "/", omittingEmptySubsequences: false).prefix(3)
        originsOpened.withLock { _ = $0.insert(origin.joined(separator: "/")) }
        try await command("url", ["url": url])
    }

    /// The value of a JavaScript expression as text; empty for null and undefined.
    public func value(_ expression: String) async throws -> String {
        let value = try await command(
            "execute/sync",
            ["script": "const v = \(expression); return v == null ? '' : String(v)", "args": []])
        return value as? String ?? ""
    }

    /// Runs the body of an asynchronous function, and throws what it throws.
    public func run(_ body: String) async throws {
        let trouble = try await command(
            "execute/async",
            [
                "script": "const done = arguments[0]; (async () => { \(body) })()"
                    + ".then(() => done(null), (e) => done(String(e)))", "args": [],
            ])
        if let trouble = trouble as? String { throw TestSupportError(trouble) }
    }

    /// Touches the middle of an element.
    public func touch(_ selector: String) async throws {
        let middle = try await value(
            "(() => { const b = document.querySelector('\(selector)').getBoundingClientRect();"
                + " return Math.round(b.x + b.width / 2) + ' ' + Math.round(b.y + b.height / 2) })()"
        ).split(separator: " ").compactMap { Int($0) }
        guard middle.count == 2 else { throw TestSupportError("nothing at \(selector)") }
        try await actions([
            "type": "pointer", "id": "finger", "parameters": ["pointerType": "touch"],
            "actions": [
                ["type": "pointerMove", "duration": 0, "x": middle[0], "y": middle[1]],
                ["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0],
            ],
        ])
    }

    /// Types characters, or keys by their numbers in WebDriver 17.4.2.
    public func type(_ text: String) async throws {
        var events: [[String: Any]] = []
        for character in text {
            events.append(["type": "keyDown", "value": String(character)])
            events.append(["type": "keyUp", "value": String(character)])
        }
        try await actions(["type": "key", "id": "reader", "actions": events])
    }

    /// Writes a picture of the page (PNG).
    public func photograph(_ path: String) async throws {
        guard let text = try await command("screenshot", nil) as? String,
            let data = Data(base64Encoded: text)
        else { throw TestSupportError("no picture") }
        try data.write(to: URL(filePath: path))
    }

    /// Writes a picture of the page that costs little: every test leaves one, which hardly ever is looked at.
    private func sketch(_ path: String) async throws {
        guard engine != .webKit else { return try await photograph(path) }
        let picture = try await devTools(
            "Page.captureScreenshot",
            ["format": "jpeg", "quality": 60, "optimizeForSpeed": true])
        guard let text = picture["data"] as? String, let data = Data(base64Encoded: text) else {
            throw TestSupportError("no picture")
        }
        try data.write(to: URL(filePath: path))
    }

    private func actions(_ source: [String: Any]) async throws {
        try await command("actions", ["actions": [source]])
    }

    /// A command of the session: GET without a body, POST with one.
    @discardableResult
    func command(
        _ name: String, _ body: [String: Any]?, method: String? = nil
    ) async throws -> Any? {
        try await Self.send(
            method ?? (body == nil ? "GET" : "POST"), port, "/session/\(session)/\(name)", body)
    }

    /// One command of the protocol; an error of the browser is thrown.
    @discardableResult
    private static func send(
        _ method: String, _ port: UInt16, _ path: String, _ body: [String: Any]?
    ) async throws -> Any? {
        let bytes = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let data = try await onThread { try exchange(method, port, path, bytes) }
        let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        if let error = answer?["value"] as? [String: Any], let kind = error["error"] as? String {
            throw TestSupportError("\(kind): \(error["message"] ?? "")")
        }
        return answer?["value"]
    }

    /// A request over a connection of its own: Foundation's client does not take chromedriver's answers.
    private static func exchange(
        _ method: String, _ port: UInt16, _ path: String, _ body: Data
    ) throws -> Data {
        let request = WireRequest(
            method: method, authority: "127.0.0.1:\(port)", path: path,
            fields: ["connection": "close", "content-type": "application/json"],
            body: Array(body))
        guard let answer = request.exchange(within: 90) else {
            throw TestSupportError("the browser's driver gave no answer to \(method) \(path)")
        }
        return Data(answer.body)
    }
}
