import KioskFlow
public import Reservations
public import TerminalSurface

/// The ticket machine's screens: their look as a function of the machine's state.
public enum Screens {
    /// The smallest grid with room for a QR symbol, a number and a button beside it: the kiosk's panel with letters 7
    /// mm high.
    public static let smallest = GridSize(columns: 64, rows: 20)

    /// Draws a whole frame.
    ///
    /// - Parameters:
    ///   - themes: the colours; the scene's appearance chooses one of them.
    ///   - wordings: the languages there are, by code; a missing one is shown in English.
    ///   - qr: the symbol of the issued reservation's code; without it only number and typed code are shown.
    public static func draw(
        _ scene: Scene, size: GridSize, themes: Themes = .standard, wordings: [String: Strings],
        pointing: Highlight = Highlight(), qr: QRMatrix? = nil
    ) -> Frame {
        let wording = wordings[scene.access.language] ?? .english
        let access = Canvas.Access(
            appearance: scene.access.appearance, voice: scene.access.voice,
            isSpeechThere: scene.access.isSpeechThere,
            hasLightTheme: scene.settings.hasLightTheme)
        var canvas = Canvas(
            size: size,
            theme: themes.theme(
                for: scene.access.appearance, isLight: scene.settings.hasLightTheme),
            wording: wording, access: access)
        guard size.holds(smallest) else {
            canvas.drawTooSmall()
            return canvas.finish(pointing)
        }
        canvas.spoken.digitwise = scene.digitwise
        return frame(&canvas, pointing) { canvas in
            if scene.warning != nil {
                canvas.spoken.screen = "warning"
                canvas.drawWarning(scene)
            } else if scene.access.isChoosingLanguage {
                canvas.spoken.screen = "languages"
                canvas.drawLanguages(scene, wordings: wordings)
            } else {
                canvas.spoken.screen = scene.state.name
                canvas.draw(scene, qr: qr)
            }
        }
    }
}

extension Canvas {
    fileprivate mutating func draw(_ scene: Scene, qr: QRMatrix?) {
        switch scene.state {
        case .starting: drawStarting(scene)
        case .home: drawHome(scene)
        case .closed(let opens): drawClosed(scene, opens: opens)
        case .outOfService(let reason): drawOutOfService(scene, reason)
        case .asking(let asking): drawAsking(scene, asking)
        case .offer(let offer): drawOffer(scene, offer)
        case .noTicketToday: drawNoTicketToday(scene)
        case .noVisit: drawNoVisit(scene)
        case .confirming: drawConfirming(scene)
        case .unresolved(let unresolved): drawUnresolved(scene, unresolved.asked.kind)
        case .issued(let issued): drawIssued(scene, issued, qr: qr)
        case .scanning(let scanning): drawScanning(scene, scanning)
        case .lookingUp: drawLookingUp(scene)
        case .found(let found): drawFound(scene, found.reservation)
        case .deleting: drawDeleting(scene)
        case .deleted(let deleted): drawDeleted(scene, deleted)
        case .codeRefused(let refused): drawCodeRefused(scene, refused)
        case .apology(let apology): drawApology(scene, apology)
        case .staffEntrance(let entrance): drawStaffEntrance(scene, entrance)
        case .staff(let visit): drawStaff(scene, visit)
        }
    }
}
