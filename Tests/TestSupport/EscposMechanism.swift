/// A model of an ESC/POS printer as a value: buffer, sensors, head, cutter.
///
/// It knows only the commands that our driver may send, and records everything different: a real printer
/// would carry it out or print it.
struct EscposMechanism {
    /// Dots across the head.
    let dots: Int

    var isOutOfPaper = false { didSet { work() } }
    var isNearEnd = false
    var isOpen = false { didSet { work() } }
    var isCutterStuck = false { didSet { work() } }
    /// The paper ends after this many more rows.
    var rowsLeft: Int?
    /// The commands that it received and that our drivers must not send.
    private(set) var violations: [String] = []
    private(set) var papers: [GreyPicture] = []
    private(set) var isDrawerOpen = false
    /// Names of the commands that it has carried out, in order.
    private(set) var done: [String] = []
    /// Answers to be sent.
    var answers: [UInt8] = []

    private enum Tool {
        case initialise, reportNothingUnasked, reportWhenDone, cut
        case row([UInt8])
        case endOfPicture(rows: Int)
    }

    private var received: [UInt8] = []
    private var buffer: [Tool] = []
    private var rows: [[UInt8]] = []

    init(dots: Int) { self.dots = dots }

    /// The state after a power cut: the sensors and the paper in it are unchanged.
    init(afterPowerCut former: EscposMechanism) {
        self = former
        received = []
        buffer = []
        answers = []
    }

    /// Rows on the paper that is not cut off yet.
    var rowsUncut: Int { rows.count }
    var isHolding: Bool { !buffer.isEmpty }

    private var isBlocked: Bool { isOutOfPaper || isOpen || isCutterStuck }

    mutating func take(_ bytes: [UInt8]) {
        received += bytes
        while let used = parse() { received.removeFirst(used) }
        work()
    }

    // MARK: Bytes

    /// Takes in the command at the front and returns its length; nil while it is not complete.
    private mutating func parse() -> Int? {
        guard received.count >= 2 else { return nil }
        switch (received[0], received[1]) {
        case (0x10, 0x04): return whole(3) { $0.answer(question: $0.received[2]) }
        case (0x10, 0x14):
            return whole(10) { printer in
                guard Array(printer.received[2..<10]) == [8, 1, 3, 20, 1, 6, 2, 8] else {
                    printer.isDrawerOpen = true
                    return printer.violate("DLE DC4 \(printer.received[2])")
                }
                printer.buffer = []
                printer.answers += [0x37, 0x25, 0]
                printer.done.append("clear")
            }
        case (0x1B, 0x40): return whole(2) { $0.buffer.append(.initialise) }
        case (0x1D, 0x61):
            return whole(3) { printer in
                if printer.received[2] != 0 { printer.violate("GS a \(printer.received[2])") }
                printer.buffer.append(.reportNothingUnasked)
            }
        case (0x1D, 0x72):
            return whole(3) { printer in
                if printer.received[2] != 1 { printer.violate("GS r \(printer.received[2])") }
                printer.buffer.append(.reportWhenDone)
            }
        case (0x1D, 0x56):
            return whole(4) { printer in
                if printer.received[2] != 66 { printer.violate("GS V \(printer.received[2])") }
                printer.buffer.append(.cut)
            }
        case (0x1D, 0x76): return picture()
        case (0x1B, 0x70):
            isDrawerOpen = true
            violate("ESC p")
            return 2
        default:
            violate("byte \(received[0])")
            return 1
        }
    }

    private func whole(_ length: Int) -> Bool { received.count >= length }

    private mutating func whole(_ length: Int, _ take: (inout Self) -> Void) -> Int? {
        guard whole(length) else { return nil }
        take(&self)
        return length
    }

    /// GS v 0 m xL xH yL yH d1...dk
    private mutating func picture() -> Int? {
        guard whole(8) else { return nil }
        let width = Int(received[4]) + Int(received[5]) * 256
        let height = Int(received[6]) + Int(received[7]) * 256
        let length = 8 + width * height
        guard whole(length) else { return nil }
        if received[2] != 0x30 || received[3] != 0 { violate("GS v \(received[2])") }
        if width * 8 > dots { violate("a picture of \(width * 8) dots") }
        if width == 0 || height == 0 { violate("a picture of nothing") }
        let data = Array(received[8..<length])
        // A printer also looks for commands in real time among the dots.
        for index in data.indices.dropLast() where data[index] == 0x10 {
            if [0x04, 0x05, 0x14].contains(data[index + 1]) {
                violate("a command in real time within a picture")
            }
        }
        for row in 0..<height {
            buffer.append(.row(Array(data[(row * width)..<((row + 1) * width)])))
        }
        buffer.append(.endOfPicture(rows: height))
        return length
    }

    private mutating func violate(_ what: String) { violations.append(what) }

    private mutating func answer(question: UInt8) {
        var answer: UInt8 = 0x12
        func set(_ bits: UInt8, _ isSet: Bool) { if isSet { answer |= bits } }
        switch question {
        case 1: set(0x08, isBlocked)
        case 2:
            set(0x04, isOpen)
            set(0x20, isOutOfPaper)
            set(0x40, isCutterStuck)
        case 3: set(0x08, isCutterStuck)
        case 4:
            set(0x0C, isNearEnd || isOutOfPaper)
            set(0x60, isOutOfPaper)
        default: violate("DLE EOT \(question)")
        }
        answers.append(answer)
    }

    // MARK: Paper

    /// Handles what is in the buffer, until it must wait.
    private mutating func work() {
        while !isBlocked, let command = buffer.first {
            switch command {
            case .row(let row):
                if rowsLeft == 0 {
                    rowsLeft = nil
                    isOutOfPaper = true
                    return
                }
                rowsLeft = rowsLeft.map { $0 - 1 }
                rows.append(row)
            case .endOfPicture(let height): done.append("picture \(height)")
            case .initialise: done.append("initialise")
            case .reportNothingUnasked: done.append("tell nothing unasked")
            case .reportWhenDone:
                done.append("tell when done")
                answers.append((isNearEnd ? 0x03 : 0) | (isOutOfPaper ? 0x0C : 0))
            case .cut: cut()
            }
            buffer.removeFirst()
        }
    }

    private mutating func cut() {
        done.append("cut")
        var shades: [UInt8] = []
        for row in rows {
            for column in 0..<dots {
                let byte = column / 8 < row.count ? row[column / 8] : 0
                shades.append(byte & (0x80 >> (column % 8)) != 0 ? 0 : 255)
            }
        }
        papers.append(GreyPicture(width: dots, height: rows.count, shades: shades))
        rows = []
    }
}
