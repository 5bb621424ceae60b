import Foundation
import TestSupport
import Testing

@Suite("A page that its shop does not know yet")
struct EnrolmentTests {
    private static let titles = [
        "en": [
            "This display is not", "This reader is not", "This desk is not",
            "This staff page is not",
        ],
        "it": [
            "Questo tabellone non", "Questo lettore non", "Questo banco ritiri non",
            "Questa pagina del personale non",
        ],
        "de": [
            "Diese Anzeige ist", "Dieses Lesegerät ist", "Dieser Abholschalter ist",
            "Diese Seite für das Personal ist",
        ],
        "fr": [
            "Cet écran n’est", "Ce lecteur n’est", "Ce comptoir n’est",
            "Cette page du personnel n’est",
        ],
        "es": [
            "Esta pantalla aún no", "Este lector aún no", "Este mostrador aún no",
            "Esta página del personal aún no",
        ],
    ]
    private static let pages = [
        ("display", 1_920, 1_080), ("entrance", 800, 1_280), ("desk", 1_280, 800),
        ("staff", 360, 640),
    ]

    @Test(
        "It says in the browser's language, or in one that is chosen by a touch, with which command it is added; the command is whole while it is copied, and everything can be read and touched"
    )
    func languages() async throws {
        try await PageShop.with { shop, browser in
            try await browser.devTools(
                "Emulation.setUserAgentOverride", ["userAgent": "", "acceptLanguage": "it-IT,en"])
            for (place, (role, width, height)) in Self.pages.enumerated() {
                try await browser.resize(width, height)
                try await browser.open(
                    "\(shop.backend.address)/\(role)/TEST", opens: "#enrolment nav button")
                let first = try #require(Self.titles["it"]?[place])
                #expect(try await browser.text("#enrolment h1").hasPrefix(first))
                try await browser.run(
                    "window.command = document.querySelector('#enrolment pre').firstChild;")
                for (language, titles) in Self.titles.sorted(by: { $0.key < $1.key }) {
                    try await browser.press("#enrolment button[lang=\(language)]")
                    await browser.expect("#enrolment h1", has: titles[place])
                    let faults = try await browser.value(
                        """
                        [...document.querySelectorAll("#enrolment > *, #enrolment button")].filter((one) => {
                          const { left, right, height } = one.getBoundingClientRect();
                          const isSmall = one.localName === "button" && height < 44;
                          return left < 0 || right > innerWidth + 1 || isSmall;
                        }).map((one) => one.outerHTML).join()
                        """)
                    #expect(faults == "", "\(role) \(language)")
                    if ["it", "de"].contains(language) {
                        try await browser.keepPicture("enrolment-\(role)-\(language)")
                    }
                }
                // What is being copied is not replaced by the next look.
                let isSame =
                    "window.command === document.querySelector('#enrolment pre').firstChild"
                #expect(try await browser.value(isSame) == "true")
                let command = try await browser.text("#enrolment pre")
                #expect(command.contains("device pair"), "a code is shown: \(command)")
                try await browser.expectNoFindings("\(role)")
                // An administrator types it as it is shown, with their own file and name.
                let words = command.split { $0.isWhitespace || $0 == "\\" }.dropFirst().map {
                    $0 == "FILE" ? shop.backend.database : $0 == "NAME" ? "\(role)-1" : String($0)
                }
                let printed = try await Tool.succeed(Tool.program("clup-backend"), words)
                let fingerprint = try await browser.text("#enrolment dt.fingerprint + dd")
                #expect(printed.contains(fingerprint), "\(printed)")
                await browser.expect(no: "#enrolment")
            }
        }
    }
}
