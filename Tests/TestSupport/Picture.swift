public import Foundation
import Reservations

/// A picture in shades of grey, row by row from the top left; 0 is black, 255 white.
public struct GreyPicture: Sendable {
    public let width: Int
    public let height: Int
    public let shades: [UInt8]

    public func isDark(x: Int, y: Int) -> Bool { shades[y * width + x] < 128 }

    init(width: Int, height: Int, shades: [UInt8]) {
        self.width = width
        self.height = height
        self.shades = shades
    }

    /// A binary portable graymap (pgm(5)) of it.
    public var portableGraymap: Data { Data("P5 \(width) \(height) 255\n".utf8) + Data(shades) }

    /// Reads a binary portable graymap (pgm(5)) of 8 bits.
    public init(portableGraymap data: Data) throws {
        var fields: [Int] = []
        var index = 2
        guard data.prefix(2).elementsEqual("P5".utf8) else { throw TestSupportError("no P5 file") }
        while fields.count < 3 {
            while index < data.count, data[index] <= 0x20 { index += 1 }
            var number = 0
            while index < data.count, data[index] > 0x20 {
                number = number * 10 + Int(data[index]) - 0x30
                index += 1
            }
            fields.append(number)
        }
        width = fields[0]
        height = fields[1]
        shades = Array(data[(index + 1)...])
        guard shades.count == width * height, fields[2] == 255 else {
            throw TestSupportError("a P5 file of \(shades.count) bytes for \(fields)")
        }
    }
}

public enum Picture {
    /// A PDF's only page as the printer's dots, in shades of grey; 203 dpi is a receipt printer's.
    public static func ofPage(pdf: String, resolution: Int = 203) async throws -> GreyPicture {
        let folder = try TemporaryFolder()
        try await Tool.succeed(
            "pdftoppm",
            ["-r", "\(resolution)", "-gray", "-singlefile", pdf, folder.file("page")])
        return try GreyPicture(
            portableGraymap: Data(contentsOf: folder.url.appending(path: "page.pgm")))
    }

    /// A picture file (PNG and others) in shades of grey.
    public static func ofFile(_ path: String) async throws -> GreyPicture {
        let folder = try TemporaryFolder()
        try await Tool.succeed("convert", [path, "-depth", "8", folder.file("page.pgm")])
        return try GreyPicture(
            portableGraymap: Data(contentsOf: folder.url.appending(path: "page.pgm")))
    }

    /// What zbar reads of the QR codes in a picture file; empty when it finds none.
    public static func qrCodes(inFile path: String) async throws -> [String] {
        let result = try await Tool.run(
            "zbarimg", ["-q", "--raw", "-Sdisable", "-Sqrcode.enable", path])
        // The status 4 means that nothing was found (zbarimg(1)).
        guard result.status == 0 || result.status == 4 else {
            throw TestSupportError("zbarimg: \(result.errors)")
        }
        return result.output.split(separator: "\n").map(String.init)
    }

    /// What zbar reads of the QR codes in a picture, as on paper with white around it.
    public static func qrCodes(in picture: GreyPicture) async throws -> [String] {
        let folder = try TemporaryFolder()
        return try await qrCodes(inFile: folder.write(picture.portableGraymap, to: "paper.pgm"))
    }

    /// What zbar reads of the QR codes on a PDF's page, printed at `resolution` dots an inch.
    public static func qrCodes(onPage pdf: String, resolution: Int = 203) async throws -> [String] {
        let folder = try TemporaryFolder()
        try await Tool.succeed(
            "pdftoppm", ["-r", "\(resolution)", "-png", "-singlefile", pdf, folder.file("page")])
        return try await qrCodes(inFile: folder.file("page.png"))
    }

    /// The entry codes that zbar reads on a PDF's page; the symbol for phones, if there is one, is none of them.
    public static func entryCodes(onPage pdf: String) async throws -> [String] {
        try await codes(of: Reservation.self, in: qrCodes(onPage: pdf))
    }

    /// The same for the codes of orders.
    public static func orderCodes(onPage pdf: String) async throws -> [String] {
        try await codes(of: PickupOrder.self, in: qrCodes(onPage: pdf))
    }

    /// The entry codes that zbar reads in a picture file.
    public static func entryCodes(inFile path: String) async throws -> [String] {
        try await codes(of: Reservation.self, in: qrCodes(inFile: path))
    }

    /// The codes in symbols, as a reader takes them: alone, or in the link that a machine shows once it has reported that it
    /// reads links. Both are in capitals, which take less room.
    private static func codes<Subject: CodeSubject>(
        of subject: Subject.Type, in symbols: [String]
    ) -> [String] {
        symbols.compactMap { symbol in
            guard symbol == symbol.uppercased(),
                case .entry(let code)? = ShownCode<Subject>(symbol, takesGarbledLinks: false)
            else { return nil }
            return code.rawValue
        }
    }
}
