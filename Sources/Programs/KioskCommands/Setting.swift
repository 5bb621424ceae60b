import BackendClient
import CommandSyntax
import Cryptography
import Glibc
import KioskScreens

/// One setting of the machine, declared once: the file, the options, the help and the guide's table are made from it
/// or checked against it.
struct Setting: Sendable {
    let name: String
    /// The behaviour without the setting; nil if the meaning says so.
    let standard: String?
    let meaning: String
    let take: @Sendable (inout Configuration, String) throws(CommandError) -> Void

    /// A setting whose every value is allowed.
    private static func text(
        _ name: String, standard: String? = nil, _ meaning: String,
        _ field: any WritableKeyPath<Configuration, String?> & Sendable
    ) -> Setting {
        Setting(name: name, standard: standard, meaning: meaning) { $0[keyPath: field] = $1 }
    }

    /// The text of the help and the guide.
    var explanation: String { standard.map { "\(meaning) (default: \($0))" } ?? meaning }

    private static let noReader = "none"
    /// The values of `reader-place`, for messages.
    static let readerPlaces =
        (ReaderPlace.allCases.map(\.rawValue) + ["or \(noReader)"]).joined(separator: ", ")

    static let all: [Setting] = [
        Setting(
            name: "backend", standard: nil,
            meaning: "address of the backend: https://host, or http:// on the loopback; several "
                + "servers of one chain with commas between, asked in turn while one gives no answer",
            take: { configuration, text throws(CommandError) in
                do throws(BackendAddress.Malformed) {
                    configuration.backend = try BackendServers(text)
                } catch { throw .configuration(error.description) }
            }),
        Setting(
            name: "backend-key", standard: nil,
            meaning: "public key of the backend, as \"clup-backend key\" prints it; enrol keeps it",
            take: { configuration, text throws(CommandError) in
                guard let key = PublicKey(text: text) else {
                    throw .configuration(
                        "backend-key is not an Ed25519 public key: give the 43 characters that "
                            + "\"clup-backend key\" prints.")
                }
                configuration.givenBackendKey = key
            }),
        Setting(
            name: "backend-ca", standard: nil,
            meaning: "file of PEM certificates to trust for https:// instead of the system's",
            take: { configuration, path throws(CommandError) in
                guard access(path, R_OK) == 0 else {
                    throw .system(errno) { "backend-ca: \(path) cannot be read: \($0)." }
                }
                configuration.authorities = path
            }),
        Setting(
            name: "state", standard: Configuration.defaultState,
            meaning: "directory for the machine's key and journal", take: { $0.state = $1 }),
        text(
            "wrapping-key", standard: "wrapping-key in the state directory",
            "file that seals the key", \.givenWrappingKeyFile),
        text(
            "printer", "name of the CUPS queue; without one the code is shown on the screen",
            \.printer),
        text(
            "printer-device",
            "address of the receipt printer, as ipp://HOST/ipp/print: setup makes its CUPS queue, "
                + "and makes it again if CUPS has lost it", \.printerDevice),
        text(
            "printer-paper",
            "width of the roll in millimetres, 58 or 80, if the printer does not say; for setup",
            \.printerPaper),
        text(
            "printer2", "name of a second CUPS queue, which prints while the first cannot",
            \.printer2),
        text(
            "printer2-device", "address of the second printer, as printer-device", \.printer2Device),
        text(
            "printer2-paper", "width of the second printer's roll, as printer-paper",
            \.printer2Paper),
        text("cups", standard: "the system's", "CUPS server as host:port or socket", \.cupsServer),
        text(
            "reader",
            "device of the code reader: /dev/serial/by-id/... or, read exclusively, "
                + "/dev/input/by-id/...-event-kbd (US keyboard); without one it types", \.reader),
        Setting(
            name: "reader-place", standard: "below",
            meaning:
                "where the reader is, for an arrow on the screen: \(readerPlaces) if there is no reader",
            take: { configuration, text throws(CommandError) in
                let place = ReaderPlace(rawValue: text)
                guard place != nil || text == noReader else {
                    throw .configuration(
                        "reader-place can only be one of \(readerPlaces), not \"\(text)\".")
                }
                configuration.readerPlace = place
            }),
        Setting(
            name: "speech", standard: "on, if it is installed",
            meaning: "on, off, or the path of espeak-ng",
            take: { configuration, text throws(CommandError) in
                configuration.wantsSpeech = text != "off"
                guard text != "on", text != "off" else { return }
                guard text.hasPrefix("/"), access(text, X_OK) == 0 else {
                    throw .configuration(
                        "speech is \"on\", \"off\" or the path of a program that can be run; "
                            + "\"\(text)\" is none of them.")
                }
                configuration.givenSpeechProgram = text
            }),
        Setting(
            name: "languages", standard: "all there are",
            meaning: "catalogues to offer, as it,en; the shop's own come first",
            take: { $0.languages = $1.split(separator: ",").map(String.init) }),
        Setting(
            name: "letters", standard: "blocks",
            meaning:
                "\"font\" draws large letters and buttons with the machine's own font, which the "
                + "terminal has to have, as that of the session; \"blocks\" suits every terminal",
            take: { configuration, text throws(CommandError) in
                guard text == "font" || text == "blocks" else {
                    throw .configuration("letters is blocks or font, not \"\(text)\".")
                }
                configuration.hasOwnFont = text == "font"
            }),
        text(
            "assets", standard: "beside the program", "directory of the program's assets", \.assets),
        text("log", standard: "kiosk.log in the state directory", "file for the log", \.givenLog),
        Setting(
            name: "staff-key", standard: "F10",
            meaning: "key of a keyboard that asks for a PIN: F1 to F12 or off",
            take: { configuration, text throws(CommandError) in
                let number = (1...12).first { text == "F\($0)" }
                guard number != nil || text == "off" else {
                    throw .configuration("staff-key is F1 to F12 or off, not \"\(text)\".")
                }
                configuration.staffKey = number
            }),
        Setting(
            name: "help-key", standard: "F1",
            meaning: "key of a keyboard, or button, that is the customers' Help: F1 to F12 or off",
            take: { configuration, text throws(CommandError) in
                let number = (1...12).first { text == "F\($0)" }
                guard number != nil || text == "off" else {
                    throw .configuration("help-key is F1 to F12 or off, not \"\(text)\".")
                }
                configuration.helpKey = number
            }),
        text(
            "restart-request",
            "file that is written to have the whole machine started again (a systemd path unit "
                + "looks for it); without it maintenance mode does not offer that",
            \.restartRequest),
        Setting(
            name: "leave", standard: nil,
            meaning: "\"ctrl-c\" lets Ctrl-C leave the kiosk; for demonstrations only",
            take: { configuration, text throws(CommandError) in
                guard text == "ctrl-c" else {
                    throw .configuration("leave can only be \"ctrl-c\", not \"\(text)\".")
                }
                configuration.mayLeave = true
            }),
    ]
}
