public import Reservations

/// What the event of a visit says in a customer's calendar, in one language.
public struct VisitEventWords: Hashable, Sendable {
    /// The languages, in the order of the texts.
    public static let languages = ["en", "it", "de", "fr", "es"]

    private let index: Int

    /// - Parameter language: English if it is none of `languages`.
    public init(_ language: String) { index = Self.languages.firstIndex(of: language) ?? 0 }

    /// The event's title.
    public func summary(of shopName: String, isCancelled: Bool) -> String {
        let texts =
            isCancelled
            ? [
                "Cancelled visit: ", "Visita disdetta: ", "Abgesagter Termin: ",
                "Visite annulée\u{A0}: ", "Visita anulada: ",
            ]
            : ["Visit: ", "Visita: ", "Termin: ", "Visite\u{A0}: ", "Visita: "]
        return texts[index] + shopName
    }

    /// The number, and where what lets the customer in is found.
    ///
    /// - Parameter onPhone: Whether the visit was booked on a phone, whose page has the entry code; otherwise it is on the
    ///   paper of the machine.
    public func details(_ number: QueueNumber, page: String, onPhone: Bool) -> String {
        let texts = [
            "Your number is \(number.text). ", "Il tuo numero è \(number.text). ",
            "Ihre Nummer ist \(number.text). ", "Votre numéro est le \(number.text). ",
            "Su número es el \(number.text). ",
        ]
        return texts[index] + (onPhone ? onPhoneTexts : onPaperTexts)[index] + " " + page
    }

    /// What is left to say of a visit that was given back, missed or ended.
    public var cancelledDetails: String {
        [
            "This visit is no longer booked.", "Questa visita non è più prenotata.",
            "Dieser Termin ist nicht mehr gebucht.", "Cette visite n’est plus réservée.",
            "Esta visita ya no está reservada.",
        ][index]
    }

    private var onPhoneTexts: [String] {
        [
            "To see your entry code, open this page on the phone you booked with:",
            "Per vedere il tuo codice d’ingresso, apri questa pagina sul telefono con cui hai "
                + "prenotato:",
            "Ihren Einlasscode zeigt diese Seite auf dem Handy, mit dem Sie gebucht haben:",
            "Pour voir votre code d’entrée, ouvrez cette page sur le téléphone avec lequel vous avez "
                + "réservé\u{A0}:",
            "Para ver su código de entrada, abra esta página en el móvil con el que reservó:",
        ]
    }

    private var onPaperTexts: [String] {
        [
            "Please bring your printed ticket. The page of your visit:",
            "Porta con te il biglietto stampato. La pagina della tua visita:",
            "Bitte bringen Sie das gedruckte Ticket mit. Die Seite zu Ihrem Termin:",
            "Apportez votre ticket imprimé. La page de votre visite\u{A0}:",
            "Traiga el tique impreso. La página de su visita:",
        ]
    }
}
