import CommandSyntax
import BackendClient
import Catalogue
import Cryptography
import Glibc
import KioskFlow
import KioskRuntime
import KioskScreens
import Speech
import TerminalSurface

/// The adapters of one machine, built from its configuration.
struct MachineAdapters {
    let wordings: [String: Strings]
    /// The codes of `wordings`, as the machine offers them.
    let languages: [String]
    let themes: Themes
    let typeface: Typeface
    /// The voice that reads the screens aloud; nil for a machine without a voice.
    let voice: EspeakVoice?
    let watchedKey: WatchedKey
    /// The key that the backend's answers must be signed with.
    let backendPin: PinnedBackendKey
    let answerForm: AnswerSignatureVersion
    let clock = BackendClock()
    let calls = CallLog()
    /// A file of certificates; nil for the system's.
    let authorities: String?
    let servers: BackendServers

    /// `log` is called with events of the machine's key.
    init(
        _ configuration: Configuration, log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        servers = try configuration.neededBackend()
        try configuration.check("backend-ca", "backend-key")
        authorities = configuration.authorities
        backendPin = PinnedBackendKey(configuration, log: log)
        answerForm = AnswerSignatureVersion(state: configuration.state, log: log)
        (languages, wordings) = try Self.catalogues(configuration)
        let assets = try Assets.directory(configured: configuration.assets)
        themes = try ThemeFiles.load(assets: assets)
        try configuration.check("letters", "speech")
        typeface = configuration.hasOwnFont ? try Assets.font(in: assets) : .blocks
        voice = configuration.speechProgram.map { EspeakVoice(program: $0) }
        watchedKey = WatchedKey(configuration, log: log)
    }

    /// A client with a connection of its own; every request is signed with the machine's key.
    func backendClient() -> BackendClient {
        Self.client(
            servers, authorities: authorities, clock: clock, isPinned: backendPin.isPinned,
            backendKey: { [backendPin] in try backendPin.key() }, answerForm: answerForm,
            key: watchedKey, calls: calls)
    }

    /// A client that believes only the backend of a key; if none is pinned, any backend that answers.
    static func client(
        _ servers: BackendServers, authorities: String?, clock: BackendClock, isPinned: Bool,
        backendKey: @escaping @Sendable () throws -> PublicKey?, answerForm: AnswerSignatureVersion,
        key: WatchedKey, calls: CallLog? = nil
    ) -> BackendClient {
        let verify: BackendClient.Verifier = { answer, request in
            guard let key = try? backendKey(),
                let verified = AnswerVerifier(key: key).verified(answer, to: request),
                answerForm.allows(verified.use, of: key)
            else { return nil }
            return verified
        }
        return BackendClient(
            servers: servers, authorities: authorities, clock: clock,
            verify: isPinned ? verify : nil, observe: { calls?.add($0) }
        ) { request in
            // Nothing is sent to a backend whose answers could not be believed.
            do { _ = try backendKey() } catch { throw KeyTrouble.damaged }
            return try RequestSigner(key: key.usableKey()).sign(
                request, created: clock.now, nonce: RequestSigner.makeNonce())
        }
    }

    /// The percentage of the file system that users other than root may still write (statvfs(3)).
    static func diskFree(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
        return Int(status.f_bavail * 100 / status.f_blocks)
    }

    /// The languages, first the one to be used until the backend answers, and their texts.
    static func catalogues(_ configuration: Configuration) throws -> ([String], [String: Strings]) {
        let assets = try Assets.directory(configured: configuration.assets)
        let loaded = try Catalogue.load("\(assets)/Locale")
        let wordings = Dictionary(loaded.map { ($0.language, $0) }) { first, _ in first }
        let languages = configuration.languages ?? loaded.map(\.language)
        for language in languages where wordings[language] == nil {
            throw CommandError.configuration(
                "There is no catalogue \"\(language)\" in \(assets)/Locale; "
                    + "there are \(loaded.map(\.language).joined(separator: ", ")).")
        }
        guard !languages.isEmpty else {
            throw CommandError.configuration(
                "There is no catalogue in \(assets)/Locale: "
                    + "run Kiosk/compile-catalogues, or name the assets with --assets.")
        }
        let order = RememberedShop(state: configuration.state)
            .order(languages, isConfigured: configuration.languages != nil)
        return (order, wordings)
    }
}
