import SMSTexts
import Testing

@Suite("Answers by SMS")
struct SMSAnswerTests {
    @Test(
        "STOP is understood in every language, and its first word is enough",
        arguments: [
            "STOP", "stop", "Stop!", " stop ", "STOP please", "Stopp", "Arrêt", "ARRET",
            "arre\u{302}t",
            "Basta.", "Alto", "Baja", "\u{FEFF}STOP", "«Stop»", "STOP\nInviato da iPhone",
            "stop 4821", "STOPALL", "Unsubscribe", "désabonner", "Parar por favor", "Basta SMS",
            "Basta, grazie",
            "Stop SMS",
            "STOP4821",
        ])
    func stop(_ text: String) { #expect(SMSAnswer(text) == .stop) }

    @Test("START is understood alone", arguments: ["START", "start", "Start!", "start\n"])
    func start(_ text: String) { #expect(SMSAnswer(text) == .start) }

    @Test(
        "Yes is understood in every language, and its first word is enough",
        arguments: [
            "YES", "yes", "Si", "Sì", "SÌ", "Sí", "si\u{300}", "Ja", "OUI", "Oui.",
            "Yes, I am coming",
            "Sì, vengo", "Ja, ich komme", "Oui merci", "¡Sí!", "sí, voy a ir", "Yes 4821",
        ])
    func yes(_ text: String) { #expect(SMSAnswer(text) == .yes) }

    @Test(
        "\"Si\" is yes alone, before a sign, with an accent, and before a word that affirms",
        arguments: [
            "SI", " si ", "Si!", "si.", "(si)", "Si, arrivo", "Si, pero tarde", "Si. Vengo",
            "Si - vengo", "si... puedo ir", "Si 👍 arrivo tra poco", "Si' vengo tra poco",
            "SI’ certamente", "Si\nInviato da iPhone", "Si\r\nMario", "Si 4821", "SI4821",
            "Sì vengo tra poco", "SÌ sono qui", "Sí puedo", "SÍ estoy aqui", "si\u{300} eccomi",
            "SI\u{301} estoy", "Si vengo", "si VOY ahora", "Si arrivo subito", "Si certo",
            "Si grazie", "Si gracias", "si claro", "Si ya voy", "Si si", "Si sì arrivo", "Si ok",
        ])
    func yesOfTwoLetters(_ text: String) { #expect(SMSAnswer(text) == .yes) }

    @Test(
        "\"Si\" at the beginning of a sentence that says if, or more, is no answer",
        arguments: [
            "Si è fatto tardi, non vengo", "Si puedo, voy", "Si possible plus tard",
            "Si no llego, denlo a otro", "si  puedo", "Si\u{A0}puedo", "Si\tpuedo", "Si può dopo?",
            "Si je peux, oui", "Si 5 minuti", "Si 48211", "Si 4821 non vengo", "Si œuf",
            "Si potrí", "Si pù, sì", "S\u{301}I puedo", "Si vengono", "Sinon, non",
        ])
    func ifNotYes(_ text: String) { #expect(SMSAnswer(text) == nil) }

    @Test(
        "No is understood alone or with the word",
        arguments: [
            ("NO", nil), ("no", nil), ("No.", nil), ("Nein", nil), ("NON", nil), ("Non !", nil),
            ("NO 4821", "4821"), ("no 0042", "0042"), ("Nein, 4821.", "4821"),
            ("NON\n4821", "4821"),
            ("NO4821", "4821"), ("«NO 4821»", "4821"), ("No: 4821!", "4821"), ("NO - 4821", "4821"),
        ] as [(String, String?)])
    func no(_ text: String, word: String?) { #expect(SMSAnswer(text) == .no(word: word)) }

    @Test(
        "Later is understood alone or with the word",
        arguments: [
            ("LATER", nil), ("Dopo", nil), ("Später", nil), ("SPÄTER", nil), ("spa\u{308}ter", nil),
            ("Spaeter", nil), ("spater", nil), ("Après", nil), ("APRES", nil), ("Luego", nil),
            ("later please", nil), ("Dopo, grazie", nil), ("Più tardi", nil), ("Plus tard", nil),
            ("Más tarde", nil),
            ("LATER 4821", "4821"), ("SPÄTER 4821", "4821"), ("apres 4821", "4821"),
        ] as [(String, String?)])
    func later(_ text: String, word: String?) { #expect(SMSAnswer(text) == .later(word: word)) }

    @Test(
        "Yes is understood in other words, and as a thumb",
        arguments: [
            "OK", "ok!", "Okay", "Ok grazie", "OK, thank you", "Vengo", "vengo subito", "Arrivo!",
            "Va bene",
            "va bene grazie mille", "D'accordo", "Certo", "Coming", "I'm coming", "I am coming now",
            "On my way", "I'm on my way", "Confermo", "Buongiorno, sì vengo", "Guten Tag, ja",
            "Bonjour, oui",
            "Danke, ich komme", "Ok arrivo", "OK, ich komme", "OK j'arrive", "Vale, voy", "O.K.",
            "Muchas gracias, voy",
            "Arrivo tra 5 minuti", "Komme in 5 Minuten", "J’arrive dans 5 min", "Voy en 10 minutos",
            "Ich komme", "Komme gleich", "Bin unterwegs", "J’arrive", "Je viens",
            "D'accord, merci",
            "Voy", "Ya voy", "Vale, gracias", "De acuerdo", "👍", "👍🏽", " 👍🏻 ", "👍👍", "✔\u{FE0F}", "✅",
        ])
    func yesInOtherWords(_ text: String) { #expect(SMSAnswer(text) == .yes) }

    @Test(
        "No is understood in other words, and as a thumb that points down",
        arguments: [
            "no grazie", "No, grazie!", "Non vengo", "Non vengo più", "non posso venire",
            "No thanks", "No thank you",
            "I'm not coming", "I can’t come", "Nein danke", "Ich komme nicht", "Non merci",
            "Je ne viens pas",
            "No gracias", "No voy", "Nein, leider nicht", "Leider nein", "Purtroppo non posso",
            "Sorry, I can't make it",
            "no no", "nope", "Rinuncio", "👎", "👎🏿",
        ])
    func noInOtherWords(_ text: String) { #expect(SMSAnswer(text) == .no(word: nil)) }

    @Test(
        "A text that says more than no or later, or something else, is no answer",
        arguments: [
            "", " ", "?", "4821", "No problem, I am coming", "No, I come", "NO 482",
            "NO 48211",
            "NO 4821 4821", "NO 48 21", "NO 4821 please", "LATER 4821 x",
            "No, voy", "No, vengo", "No vengo", "Non ora", "Non posso ora", "Vengo ora?", "¿Voy?",
            "Ok?", "Sì?",
            "Ja nein", "Ja, komme nicht", "Sí, pero no puedo", "Si ya no puedo ir",
            "Yes but not now",
            "Basta rispondere SI?", "Baja mi marido ahora", "Arrêt de bus, j'arrive",
            "Arrivo tra 5",
            "Luego voy", "dopo vengo", "start please", "START 4821",
            "NO\u{0664}\u{0668}\u{0662}\u{0661} x", "please stop", "stopping", "yesterday",
            "ok ma più tardi", "Vengo dopo", "Va bene, non vengo",
            "Non vengono", "Grazie", "👍👎", "🙏",
            "jaja", "sinistra", "N O", "НЕТ", "停止", "🛑", "\u{0}", "n\u{200B}o x",
        ])
    func none(_ text: String) { #expect(SMSAnswer(text) == nil) }

    @Test("Digits of other scripts are no word")
    func foreignDigits() {
        #expect(SMSAnswer("NO \u{0664}\u{0668}\u{0662}\u{0661}") == .no(word: nil))
    }

    @Test("Of a long text only the first thousand bytes are read")
    func bounded() {
        let blanks = { String(repeating: " ", count: $0) }
        #expect(SMSAnswer(blanks(998) + "NO") == .no(word: nil))
        #expect(SMSAnswer(blanks(999) + "NO") == nil)
        #expect(SMSAnswer(blanks(100_000) + "STOP") == nil)
        #expect(SMSAnswer("NO" + String(repeating: "\u{301}", count: 1_000_000)) == .no(word: nil))
        #expect(SMSAnswer("STOP" + String(repeating: "x", count: 1_000_000)) == nil)
        // Bytes that are cut within a character, or are none.
        #expect(SMSAnswer(blanks(998) + "é") == nil)
        #expect(
            SMSAnswer(String(decoding: [0x4E, 0x4F, 0xFF, 0xFE], as: UTF8.self)) == .no(word: nil))
    }
}
