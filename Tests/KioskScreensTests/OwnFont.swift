import Foundation
import TerminalSurface
import TestSupport

/// The machine's own font of the tree, made by the same script as for deployment.
enum OwnFont {
    static let folder = "\(Languages.root)/Assets/Font"

    static func typeface() throws -> Typeface { Typeface(try font.get()) }

    static let font = Result {
        try Tool.succeedBlocking("\(Languages.root)/Kiosk/make-font", [])
        let data = try Data(contentsOf: URL(filePath: "\(folder)/pieces"))
        return try PieceFont([UInt8](data))
    }
}
