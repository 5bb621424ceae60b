import Reservations
import TestSupport
import Testing

/// Pages are shown by another engine than the usual one.
struct EngineTrait: SuiteTrait, TestTrait, TestScoping {
    let engine: Browser.Engine
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Browser.$usual.withValue(engine) { try await function() }
    }
}

extension Trait where Self == EngineTrait {
    /// The pages show notices, which Chromium's headless shell has not.
    static var showsNotices: Self { EngineTrait(engine: .chromium) }
}

extension Browser {
    /// A browser of a phone's size; its traces have the name of the present test.
    static func phone<Value>(
        _ engine: Engine = Browser.usual, isNew: Bool = false, body: (Browser) async throws -> Value
    ) async throws -> Value {
        try await named(engine, width: 360, height: 640, isNew: isNew, body: body)
    }

    /// A browser whose traces have the name of the present test, from wherever it is started.
    static func named<Value>(
        _ engine: Engine = Browser.usual, width: Int, height: Int, playsUntouched: Bool = true,
        isNew: Bool = false, body: (Browser) async throws -> Value
    ) async throws -> Value {
        try await with(
            engine, width: width, height: height, playsUntouched: playsUntouched, isNew: isNew,
            file: Test.current?.sourceLocation.fileID ?? #fileID,
            function: Test.current?.name ?? #function, body: body)
    }
}

// Shops with a browser.
extension PageShop {
    static func with(
        capacity: Int = 5_000, shop settings: [String] = [], options: [String] = [],
        assets: String = PageShop.assets, width: Int = 1_920, height: Int = 1_080,
        playsUntouched: Bool = true, isNew: Bool = false,
        body: (PageShop, Browser) async throws -> Void
    ) async throws {
        try await with(
            capacity: capacity, shop: settings, options: options, assets: assets
        ) { shop in
            try await Browser.named(
                width: width, height: height, playsUntouched: playsUntouched, isNew: isNew
            ) { try await body(shop, $0) }
        }
    }

    static func full(
        shop settings: [String] = [], options: [String] = [], isNew: Bool = false,
        body: (PageShop, [Reservation], Browser) async throws -> Void
    ) async throws {
        try await full(shop: settings, options: options) { shop, called in
            try await Browser.phone(isNew: isNew) { try await body(shop, called, $0) }
        }
    }

    static func remote(
        capacity: Int, shop settings: [String] = [], options: [String] = [],
        body: (PageShop, Browser) async throws -> Void
    ) async throws {
        try await remote(capacity: capacity, shop: settings, options: options) { shop in
            try await Browser.phone { try await body(shop, $0) }
        }
    }

    /// A shop with visits for phones, and with room for twenty people where nothing else is said.
    static func visits(
        capacity: Int = 20, shop settings: [String] = [], options: [String] = [],
        body: (PageShop, Browser) async throws -> Void
    ) async throws {
        try await remote(
            capacity: capacity, shop: ["--phone-visits", "yes"] + settings, options: options,
            body: body)
    }

    static func remoteWithLine(
        shop settings: [String] = [],
        body: (PageShop, _ line: [Reservation], Browser) async throws -> Void
    ) async throws {
        try await remoteWithLine(shop: settings) { shop, line in
            try await Browser.phone { try await body(shop, line, $0) }
        }
    }
}
