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
    ///   - typeface: how large letters and buttons are drawn.
    ///   - wordings: the languages there are, by code; a missing one is shown in English.
    ///   - qr: the symbol of the issued slip's code; without it only number and typed code are shown.
    ///   - symbolForPhones: the symbol of the issued reservation's link, which is shown if there is much room.
    ///   - invitation: the symbol of the scene's invitation, which Home shows if there is room.
    public static func draw(
        _ scene: Scene, size: GridSize, themes: Themes = .standard,
        typeface: Typeface = .blocks, wordings: [String: Strings],
        pointing: Highlight = Highlight(), qr: QRMatrix? = nil, symbolForPhones: QRMatrix? = nil,
        invitation: QRMatrix? = nil
    ) -> Frame {
        compose(
            scene, size: size, themes: themes, typeface: typeface, wordings: wordings, qr: qr,
            symbolForPhones: symbolForPhones, invitation: invitation
        ).frame(pointing)
    }

    /// Draws a screen without its buttons.
    public static func compose(
        _ scene: Scene, size: GridSize, themes: Themes, typeface: Typeface,
        wordings: [String: Strings], qr: QRMatrix?, symbolForPhones: QRMatrix? = nil,
        invitation: QRMatrix? = nil
    ) -> Composition {
        var canvas = Canvas(
            scene, size: size, themes: themes, typeface: typeface, wordings: wordings)
        guard size.holds(smallest) else {
            canvas.drawTooSmall()
            return Composition(canvas: canvas)
        }
        canvas.spoken.digitwise = scene.digitwise
        canvas.symbolForPhones = symbolForPhones
        canvas.invitation = invitation
        return Composition(
            canvas: laidOut(canvas) { canvas in
                if scene.warning != nil {
                    canvas.spoken.screen = "warning"
                    canvas.drawWarning()
                } else if scene.access.isChoosingLanguage {
                    canvas.spoken.screen = "languages"
                    canvas.drawLanguages(wordings)
                } else if scene.isHelpShown {
                    canvas.drawHelp()
                } else {
                    canvas.spoken.screen = scene.state.name
                    canvas.drawState(qr: qr)
                }
            })
    }
}

/// A screen without its buttons, which alone look different when one of them is pressed or chosen.
public struct Composition {
    fileprivate let canvas: Canvas

    public var scene: Scene { canvas.scene }
    public var size: GridSize { canvas.size }

    /// The frame with all buttons.
    public func frame(_ pointing: Highlight) -> Frame { canvas.frame(pointing) }
}

extension Canvas {
    fileprivate mutating func drawState(qr: QRMatrix?) {
        switch scene.state {
        case .starting: drawWorking(text("The machine is starting."))
        case .home: drawHome()
        case .closed(let opens): drawClosed(opens: opens)
        case .outOfService(let reason): drawOutOfService(reason)
        case .asking(let asking): drawAsking(asking)
        case .offer(let offer): drawOffer(offer)
        case .noTicketToday: drawNoTicketToday()
        case .noVisit: drawNoVisit()
        case .confirming(let confirming):
            switch confirming.what {
            case .place: drawWorking(text("Booking your place."))
            case .arrival: drawWorking(text("Getting your number."))
            }
        case .unresolved(let unresolved): drawUnresolved(unresolved.asked)
        case .issued(let issued): drawIssued(issued, qr: qr)
        case .scanning(let scanning): drawScanning(scanning)
        case .lookingUp(let looking):
            switch looking.code {
            case .reservation:
                drawWorking(
                    text("Finding your reservation."), buttons: [back, placeholder(for: .ticket)])
            case .order:
                drawWorking(text("Finding your order."), buttons: [back, placeholderOfArrival])
            }
        case .found(let found): drawFound(found)
        case .order(let found): drawOrder(found)
        case .delayOffers(let found): drawDelayOffers(found)
        case .missedCall(let found): drawMissedCall(found.reservation)
        case .changingTurn(let changing): drawChangingTurn(changing.change)
        case .turnChanged(let changed): drawTurnChanged(changed)
        case .deleting: drawWorking(text("Cancelling your reservation."))
        case .deleted(let deleted): drawDeleted(deleted)
        case .codeRefused(let refused): drawCodeRefused(refused)
        case .requestFailed(let requestFailed): drawRequestFailed(requestFailed)
        case .pinEntry(let entrance): drawPINEntry(entrance)
        case .staff(let visit): drawStaff(visit)
        }
    }
}
