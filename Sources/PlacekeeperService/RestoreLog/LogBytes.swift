import PlacekeeperCore

/// Writes the body of a restore log row. Numbers are in base 128 with the least significant bits first. Texts and lists
/// are preceded by their lengths. The first byte is the format version.
struct LogWriter {
    private(set) var bytes: [UInt8]

    init(version: UInt8 = 1) { bytes = [version] }

    mutating func add(_ number: Int64) {
        // Keeps small negative numbers short too.
        var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func add(_ number: Int) { add(Int64(number)) }

    mutating func add(_ number: Int64?) {
        add(number == nil ? 0 : 1)
        if let number { add(number) }
    }

    /// Writes the length plus one, then the text in UTF-8. A missing text is written as the length 0.
    mutating func add(_ text: String?) {
        guard let text else { return add(0) }
        add(text.utf8.count + 1)
        bytes += text.utf8
    }

    mutating func add<Entity>(_ id: ID<Entity>) {
        for word in [id.high, id.low] { withUnsafeBytes(of: word.bigEndian) { bytes += $0 } }
    }

    mutating func add(_ context: Context) {
        add(context.idiom.rawValue)
        add(context.layout.map { Int64($0.rawValue) })
        add(context.bundleVersion)
        add(context.systemVersion)
        add(context.stateVersion)
    }
}

/// Reads the output of a `LogWriter`. Once the bytes turn out to be damaged, `isDamaged` is true and each read returns
/// an empty value.
struct LogReader {
    let version: UInt8
    private var rest: ArraySlice<UInt8>
    private(set) var isDamaged = false
    /// Whether all bytes were read and none were damaged.
    var isComplete: Bool { !isDamaged && rest.isEmpty }

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        version = rest.popFirst() ?? 0
        isDamaged = version != 1 && version != 2
    }

    /// Returns the value. If it is nil, marks the bytes as damaged and returns `other`.
    private mutating func checked<Value>(_ value: Value?, or other: Value) -> Value {
        if let value { return value }
        isDamaged = true
        rest = []
        return other
    }

    mutating func number() -> Int64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = rest.popFirst() else { break }
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }
        }
        return checked(nil, or: 0)
    }

    mutating func optionalNumber() -> Int64? { number() == 0 ? nil : number() }

    mutating func time() -> Timestamp {
        let number = number()
        return Timestamp(milliseconds: checked(StoredNumber.time.range.contains(number) ? number : nil, or: 0))
    }

    mutating func count() -> Int {
        let number = number()
        return checked(number >= 0 ? Int(number) : nil, or: 0)
    }

    /// Reads a length. No text or list can be longer than the remaining bytes.
    mutating func length() -> Int {
        let number = number()
        return checked(number >= 0 && number <= rest.count + 1 ? Int(number) : nil, or: 0)
    }

    mutating func optionalText() -> String? {
        let length = length()
        guard length > 0 else { return nil }
        let isWhole = length - 1 <= min(rest.count, Limits.restorationPath)
        let text = isWhole ? String(decoding: rest.prefix(length - 1), as: UTF8.self) : nil
        rest = rest.dropFirst(length - 1)
        return checked(text, or: "")
    }

    mutating func text() -> String { checked(optionalText(), or: "") }

    mutating func id<Entity>() -> ID<Entity> {
        let bytes = rest.prefix(16)
        rest = rest.dropFirst(16)
        guard bytes.count == 16 else { return checked(nil, or: ID(high: 0, low: 0)) }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return ID(high: word(bytes.prefix(8)), low: word(bytes.suffix(8)))
    }

    mutating func idiom() -> Idiom {
        let number = number()
        return checked(Int(exactly: number).flatMap(Idiom.init(rawValue:)), or: .unspecified)
    }

    mutating func context() -> Context {
        let idiom = idiom()
        let layout = optionalNumber().map { checked(UInt8(exactly: $0).flatMap(Layout.init(rawValue:)), or: .compact) }
        return Context(
            idiom: idiom, layout: layout, bundleVersion: optionalText(), systemVersion: optionalText(),
            stateVersion: optionalNumber())
    }

    /// Reads one of a fixed set of words.
    mutating func word<Word: RawRepresentable<String>>(or other: Word) -> Word {
        let text = text()
        return checked(Word(rawValue: text), or: other)
    }

    mutating func state() -> BreakerTransition.State {
        let number = number()
        return checked(BreakerTransition.State(rawValue: number), or: .normal)
    }

    /// Reads a fidelity. Nil means that the archive was refused.
    mutating func fidelity() -> Fidelity? {
        optionalNumber().map { checked(UInt8(exactly: $0).flatMap(Fidelity.init(rawValue:)), or: .place) }
    }
}
