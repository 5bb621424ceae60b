import KioskFlow
public import Reservations
public import TerminalSurface

/// The ticket machine's screens: what it looks like, as a function of what it is.
public enum Screens {
    /// The smallest grid with room for a QR symbol, a number and a button beside it: the kiosk's
    /// panel with letters 7 mm high.
    public static let smallest = GridSize(columns: 64, rows: 20)

    /// Draws a whole frame.
    ///
    /// - Parameters:
    ///   - wordings: the languages there are, by code; one that is missing is shown in English.
    ///   - qr: the symbol of the issued reservation's code; without it number and typed code stand
    ///     alone.
    public static func draw(
        _ scene: Scene, size: GridSize, theme: Theme = .dark, wordings: [String: Wording],
        pointing: Pointing = Pointing(), qr: QRMatrix? = nil
    ) -> Frame {
        let wording = wordings[scene.language] ?? .english
        var canvas = Canvas(size: size, theme: theme, wording: wording)
        guard size.holds(smallest) else {
            canvas.drawTooSmall()
            return canvas.frame(pointing)
        }
        if scene.warning != nil {
            canvas.drawWarning(scene)
        } else if scene.isChoosingLanguage {
            canvas.drawLanguages(scene, wordings: wordings)
        } else {
            canvas.draw(scene, qr: qr)
        }
        return canvas.frame(pointing)
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
        case .codeRefused(let refused): drawCodeRefused(scene, refused.reason)
        case .apology(let apology): drawApology(scene, apology)
        }
    }
}
