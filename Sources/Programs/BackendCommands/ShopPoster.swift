import QRCode
import Reservations

/// A page to be printed on A4, with the symbol by which customers join a shop's queue from elsewhere (rules: elsewhere): one
/// self-contained HTML file.
struct ShopPoster {
    let shop: Shop
    /// The address of the page for joining, with the shop's tag.
    let link: String

    /// What it says in one language.
    private struct Words {
        let language: String
        let title: String
        let how: String
        let what: String
    }

    private static let words = [
        Words(
            language: "it", title: "Prendi il tuo posto in coda da casa",
            how: "Inquadra il codice con il telefono, oppure apri questo indirizzo:",
            what: "Il telefono mostra quanto c’è da aspettare e quando è il tuo turno. "
                + "Senza app e senza registrazione."),
        Words(
            language: "en", title: "Take your place in the queue from home",
            how: "Scan the code with your phone, or open this address:",
            what: "Your phone shows how long the wait is and when it is your turn. "
                + "No app, no account."),
        Words(
            language: "de", title: "Stellen Sie sich von zu Hause aus an",
            how: "Scannen Sie den Code mit dem Handy oder öffnen Sie diese Adresse:",
            what: "Das Handy zeigt, wie lange es dauert und wann Sie an der Reihe sind. "
                + "Ohne App und ohne Anmeldung."),
        Words(
            language: "fr", title: "Prenez votre place dans la file depuis chez vous",
            how: "Scannez le code avec votre téléphone, ou ouvrez cette adresse\u{A0}:",
            what: "Le téléphone affiche le temps d’attente et vous montre quand c’est votre tour. "
                + "Sans application ni inscription."),
        Words(
            language: "es", title: "Pida turno desde casa",
            how: "Escanee el código con el móvil o abra esta dirección:",
            what: "El móvil muestra cuánto hay que esperar y cuándo le toca. "
                + "Sin aplicación ni registro."),
    ]

    /// The shop's languages, its own first; English if it has none of these.
    private var languages: [Words] {
        let known = shop.languages.compactMap { tag in Self.words.first { $0.language == tag } }
        return known.isEmpty ? Self.words.filter { $0.language == "en" } : known
    }

    func html() throws -> String {
        let matrix = try QRCode.matrix(of: link)
        let main = languages[0]
        let others = languages.dropFirst().map {
            "<p lang=\"\($0.language)\"><b>\($0.title)</b><br>\($0.what)</p>"
        }
        let place = [shop.address.street, shop.address.town].compactMap(\.self)
            .joined(separator: ", ")
        return """
            <!doctype html>
            <html lang="\(main.language)"><head><meta charset="utf-8">
            <title>\(ReportPage.escaped(shop.name))</title>
            <style>
            @page { size: A4; margin: 0; }
            body { margin: 0; font-family: Inter, "Helvetica Neue", Arial, sans-serif; color: #15171c; }
            main { box-sizing: border-box; width: 210mm; min-height: 296mm; margin: auto; padding: 18mm 20mm 14mm;
            display: flex; flex-direction: column; align-items: center; text-align: center; }
            h1 { font-size: 32pt; line-height: 1.15; margin: 0 0 6mm; text-wrap: balance; }
            h2 { font-size: 20pt; margin: 0 0 8mm; font-weight: 500; }
            .how { font-size: 15pt; margin: 0 0 6mm; }
            svg { width: 92mm; height: 92mm; border: 3mm solid #ffc933; border-radius: 5mm; padding: 2mm; }
            .link { font-size: 17pt; font-weight: 700; margin: 6mm 0 8mm; overflow-wrap: anywhere; }
            .what { font-size: 17pt; line-height: 1.35; margin: 0 0 8mm; text-wrap: balance; }
            aside { font-size: 12pt; line-height: 1.4; border-top: .5mm solid #ccc; padding-top: 2mm; }
            aside p { margin: 3mm 0; }
            footer { margin-top: auto; font-size: 11pt; color: #555; }
            </style></head><body><main>
            <h2>\(ReportPage.escaped(shop.name))</h2>
            <h1>\(main.title)</h1>
            <p class="how">\(main.how)</p>
            \(Self.symbol(matrix))
            <p class="link">\(ReportPage.escaped(link))</p>
            <p class="what">\(main.what)</p>
            \(others.isEmpty ? "" : "<aside>\(others.joined())</aside>")
            <footer>\(ReportPage.escaped(place))</footer>
            </main></body></html>

            """
    }

    /// The dark modules as one path, with the quiet zone around them.
    private static func symbol(_ matrix: QRMatrix) -> String {
        let (side, zone) = (matrix.side, QRMatrix.quietZone)
        var path = ""
        for row in 0..<side {
            for column in 0..<side where matrix.isDark(row: row, column: column) {
                path += "M\(column + zone) \(row + zone)h1v1h-1z"
            }
        }
        return """
            <svg viewBox="0 0 \(side + 2 * zone) \(side + 2 * zone)" shape-rendering="crispEdges"><path d="\(path)"/></svg>
            """
    }
}
