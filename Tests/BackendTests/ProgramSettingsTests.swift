import Testing

@Suite("Settings of a shop as the program clup-backend shows and sets them")
struct ProgramSettingsTests {
    /// One kind of settings.
    struct Settings: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The values of a new shop, as JSON.
        let plain: [String: String]
        /// The options that change them, and the values then.
        let options: [String]
        let set: [String: String]
        /// Values that are refused, with the exit status and words of the sentence.
        let refused: [(option: String, value: String, status: Int32, words: String)]
        /// What the audit says of the change.
        let audit: [String]
        /// Options that take values away, and the names that are not shown then.
        var without: (options: [String], names: [String]) = ([], [])
    }

    static let all = [
        Settings(
            testDescription: "places on phones, and the shop's address",
            plain: [
                "phonePlaces": "false", "phoneSharePercent": "50", "noShowDays": "30",
                "blockDays": "7",
            ],
            options: [
                "--phone-places", "yes", "--phone-share", "30", "--no-show-days", "14",
                "--block-days", "0", "--street", "Corso Buenos Aires 1", "--town", "Milano",
                "--position", "45.4785,9.2073",
            ],
            set: [
                "phonePlaces": "true", "phoneSharePercent": "30", "noShowDays": "14",
                "blockDays": "0", "street": "\"Corso Buenos Aires 1\"", "town": "\"Milano\"",
                "position": "\"45.4785,9.2073\"",
            ],
            refused: [
                ("--phone-places", "perhaps", 64, "--phone-places is yes or no"),
                ("--phone-share", "0", 64, "--phone-share"),
                ("--block-days", "31", 64, "--block-days"),
                ("--position", "Milano", 64, "latitude and longitude"),
                ("--town", " ", 1, "a town is"),
            ],
            audit: ["phone places no -> yes"],
            without: (["--street", "", "--position", ""], ["street", "position"])),
        Settings(
            testDescription: "visits on phones (rules: visits)",
            plain: ["phoneVisits": "false", "phoneVisitPercent": "70", "phoneQuestion": "false"],
            options: [
                "--phone-visits", "yes", "--phone-visit-share", "40", "--phone-question", "yes",
                "--departments", "Pescheria=4, Pane = 6,Vino",
            ],
            set: [
                "phoneVisits": "true", "phoneVisitPercent": "40", "phoneQuestion": "true",
                "departments": "\"Pescheria=4, Pane=6, Vino\"",
            ],
            refused: [
                ("--phone-visits", "perhaps", 64, "--phone-visits is yes or no"),
                ("--phone-visit-share", "0", 64, "--phone-visit-share"),
                ("--phone-visit-share", "101", 64, "--phone-visit-share"),
                ("--departments", "Pesce,Pesce", 64, "departments are at most 8 different names"),
                ("--departments", "Pesce=0", 64, "departments are at most 8 different names"),
            ],
            audit: [
                "phone visits no -> yes", "departments  -> Pescheria=4, Pane=6, Vino",
                "phone visit share 70 -> 40",
            ]),
        Settings(
            testDescription: "the wait from which machines name a shop nearby (rules: nearby-shop)",
            plain: ["nearbyWaitMinutes": "60"], options: ["--nearby-wait", "0"],
            set: ["nearbyWaitMinutes": "0"],
            refused: [
                ("--nearby-wait", "5", 1, "from 10 to 240 minutes"),
                ("--nearby-wait", "241", 64, "--nearby-wait"),
                ("--nearby-wait", "soon", 64, "--nearby-wait"),
            ],
            audit: ["nearby wait 60 -> 0"]),
        Settings(
            testDescription: "desks for orders (rules: orders, desks-inside)",
            plain: ["desks": "0", "deskInside": "false"],
            options: [
                "--desks", "2", "--desk-inside", "yes", "--fetch-minutes", "8", "--order-days",
                "14", "--order-memory-days", "60",
            ],
            set: [
                "desks": "2", "deskInside": "true", "fetchMinutes": "8", "orderDays": "14",
                "orderMemoryDays": "60",
            ],
            refused: [("--desks", "21", 64, "--desks")],
            audit: ["desks 0 -> 2", "desk inside no -> yes"]),
        Settings(
            testDescription: "calls for help (rules: help-staff, help-answers)",
            plain: ["helpNames": "false"],
            options: ["--help-phone", "+39 02 1234567", "--help-names", "yes"],
            set: ["helpPhone": "\"+39 02 1234567\"", "helpNames": "true"],
            refused: [
                "call me", "12", " 02 1234567", String(repeating: "1", count: 31), "02\u{7}12",
            ].map { ("--help-phone", $0, 1, "telephone number") } + [
                ("--help-names", "maybe", 64, "--help-names is yes or no")
            ],
            audit: ["help phone  -> +39 02 1234567", "help names no -> yes"],
            without: (["--help-phone", ""], ["helpPhone"])),
    ]

    @Test("They are shown, set, listed and in the audit; what cannot be is refused", arguments: all)
    func settings(_ settings: Settings) throws {
        let backend = try BackendCommand.withShop()
        func change(_ options: [String]) throws -> BackendCommand.Ended {
            try backend.command("shop change --shop ROM1", options)
        }
        func expect(_ values: [String: String], in output: String) {
            for (name, value) in values {
                #expect(output.contains("\"\(name)\":\(value)"), "\(name): \(output)")
            }
        }
        let plain = try change([])
        expect(settings.plain, in: plain.output)
        for name in settings.without.names { #expect(!plain.output.contains("\"\(name)\"")) }
        expect(settings.set, in: try change(settings.options).output)
        for (option, value, status, words) in settings.refused {
            let refused = try change([option, value])
            #expect(refused.status == status && refused.errors.contains(words), "\(refused.errors)")
        }
        expect(settings.set, in: try backend.command("shop list").output)
        let audit = try backend.command("audit list").output
        for words in settings.audit { #expect(audit.contains(words), "\(audit)") }
        let without = try change(settings.without.options).output
        for name in settings.without.names { #expect(!without.contains("\"\(name)\"")) }
    }
}
