internal import TextForms

/// Writes an encodable value as JSON in one pass: without white space, with the keys of each object in the order of
/// their UTF-8 bytes, so that equal values are equal bytes.
///
/// FoundationEssentials' encoder, which makes a tree of the value first, took a third of the processor time of a reading
/// call. The types of the contract encode each value into one container, which is all that this encoder offers.
final class JSONWriter {
    /// What the value that is being written has asked for.
    fileprivate enum Form { case undecided, text, array, object }

    /// Bytes of most bodies of the contract.
    private static let usualBytes = 640

    private(set) var bytes: [UInt8] = []
    /// The members of the objects that are being written, inner objects last: key, and where its text begins. Each
    /// member and each element ends with a comma until its object or array ends.
    private var members: [(key: String, start: Int)] = []
    fileprivate var form = Form.undecided

    init() { bytes.reserveCapacity(Self.usualBytes) }

    func write(_ value: some Encodable) throws {
        let outer = form
        form = .undecided
        let first = members.count
        let start = bytes.count
        try value.encode(to: Value(writer: self))
        switch form {
        case .undecided:
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "no text"))
        case .text: break
        case .array: end(UInt8(ascii: "]"), isEmpty: bytes.count == start + 1)
        case .object:
            sort(from: first)
            end(UInt8(ascii: "}"), isEmpty: members.count == first)
            members.removeLast(members.count - first)
        }
        form = outer
    }

    /// Puts the end in the place of the last comma.
    private func end(_ byte: UInt8, isEmpty: Bool) {
        if isEmpty { bytes.append(byte) } else { bytes[bytes.count - 1] = byte }
    }

    /// Brings the members of the object that ends into the order of their keys.
    private func sort(from first: Int) {
        let inOrder = zip(members[first...], members[first...].dropFirst())
            .allSatisfy { $0.key < $1.key }
        guard !inOrder, let start = members.dropFirst(first).first?.start else { return }
        let ends = members[first...].dropFirst().map(\.start) + [bytes.count]
        let texts = zip(members[first...], ends).map { (key: $0.key, text: bytes[$0.start..<$1]) }
        var sorted: [UInt8] = []
        sorted.reserveCapacity(bytes.count - start)
        for member in texts.sorted(by: { $0.key < $1.key }) { sorted += member.text }
        bytes.replaceSubrange(start..., with: sorted)
    }

    fileprivate func begin(_ form: Form) {
        precondition(self.form == .undecided, "a value of the contract has one container")
        self.form = form
        switch form {
        case .array: bytes.append(UInt8(ascii: "["))
        case .object: bytes.append(UInt8(ascii: "{"))
        case .undecided, .text: break
        }
    }

    fileprivate func beginMember(_ key: String) {
        members.append((key, bytes.count))
        write(text: key)
        bytes.append(UInt8(ascii: ":"))
    }

    fileprivate func separate() { bytes.append(UInt8(ascii: ",")) }

    fileprivate func write(literal: String) { bytes += literal.utf8 }

    /// A string of RFC 8259 7, in which only what must be escaped is.
    fileprivate func write(text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.hasOnlyBytes(where: { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
            bytes += text.utf8
        } else {
            for byte in text.utf8 { write(escaping: byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private func write(escaping byte: UInt8) {
        switch byte {
        case 0x22: write(literal: #"\""#)
        case 0x5C: write(literal: #"\\"#)
        case 0x08: write(literal: #"\b"#)
        case 0x0C: write(literal: #"\f"#)
        case 0x0A: write(literal: #"\n"#)
        case 0x0D: write(literal: #"\r"#)
        case 0x09: write(literal: #"\t"#)
        case 0..<0x10: write(literal: #"\u000"# + String(byte, radix: 16))
        case 0x10..<0x20: write(literal: #"\u00"# + String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }

    fileprivate func write(number: Int) { bytes.append(decimal: number) }

    fileprivate func write(number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: [], debugDescription: "JSON has no such number"))
        }
        let text = number.description
        write(literal: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    fileprivate func nested() -> Never {
        preconditionFailure("no value of the contract nests containers by hand")
    }
}

/// The encoder of one value, and the container of a value without parts.
private struct Value: Encoder, SingleValueEncodingContainer {
    let writer: JSONWriter

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.begin(.object)
        return KeyedEncodingContainer(Members<Key>(writer: writer))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.begin(.array)
        return Elements(writer: writer)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { scalar { $0.write(literal: "null") } }
    func encode(_ value: Bool) { scalar { $0.write(literal: value ? "true" : "false") } }
    func encode(_ value: String) { scalar { $0.write(text: value) } }
    func encode(_ value: Double) throws { try scalar { try $0.write(number: value) } }
    func encode(_ value: Float) throws { try scalar { try $0.write(number: value) } }
    func encode(_ value: Int) { scalar { $0.write(number: value) } }
    func encode(_ value: Int8) { scalar { $0.write(number: Int(value)) } }
    func encode(_ value: Int16) { scalar { $0.write(number: Int(value)) } }
    func encode(_ value: Int32) { scalar { $0.write(number: Int(value)) } }
    func encode(_ value: Int64) { scalar { $0.write(number: Int(value)) } }
    func encode(_ value: UInt) { scalar { $0.write(literal: String(value)) } }
    func encode(_ value: UInt8) { scalar { $0.write(number: Int(value)) } }
    func encode(_ value: UInt16) { scalar { $0.write(number: Int(value)) } }
    func encode(_ value: UInt32) { scalar { $0.write(number: Int(value)) } }
    func encode(_ value: UInt64) { scalar { $0.write(literal: String(value)) } }

    /// Another value in the place of this one, as of an enumeration with raw values.
    func encode(_ value: some Encodable) throws { try value.encode(to: self) }

    private func scalar(_ write: (JSONWriter) throws -> Void) rethrows {
        writer.begin(.text)
        try write(writer)
    }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { member(key) { $0.write(literal: "null") } }

    func encode(_ value: Bool, forKey key: Key) {
        member(key) { $0.write(literal: value ? "true" : "false") }
    }

    func encode(_ value: String, forKey key: Key) { member(key) { $0.write(text: value) } }

    func encode(_ value: Int, forKey key: Key) { member(key) { $0.write(number: value) } }

    func encode(_ value: Int64, forKey key: Key) { member(key) { $0.write(number: Int(value)) } }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try member(key) { try $0.write(value) }
    }

    private func member(_ key: Key, _ write: (JSONWriter) throws -> Void) rethrows {
        writer.beginMember(key.stringValue)
        try write(writer)
        writer.separate()
    }

    func nestedContainer<Nested>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { writer.nested() }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { writer.nested() }

    func superEncoder() -> any Encoder { writer.nested() }

    func superEncoder(forKey key: Key) -> any Encoder { writer.nested() }
}

/// The elements of an array.
private struct Elements: UnkeyedEncodingContainer {
    let writer: JSONWriter
    private(set) var count = 0

    init(writer: JSONWriter) { self.writer = writer }

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { element { $0.write(literal: "null") } }

    mutating func encode(_ value: String) { element { $0.write(text: value) } }

    mutating func encode(_ value: Int) { element { $0.write(number: value) } }

    mutating func encode(_ value: some Encodable) throws { try element { try $0.write(value) } }

    private mutating func element(_ write: (JSONWriter) throws -> Void) rethrows {
        try write(writer)
        writer.separate()
        count += 1
    }

    func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        writer.nested()
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { writer.nested() }

    func superEncoder() -> any Encoder { writer.nested() }
}
