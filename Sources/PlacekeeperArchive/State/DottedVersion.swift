/// A version compared as dotted numbers: `1.10 > 1.9` and `1.0 == 1`. Missing components count as 0.
///
/// Any string is a version. Only the leading digits of a component are compared, however many there are. A component
/// without leading digits is 0. Only the first 256 bytes of a version are compared. Comparing allocates no memory.
public struct DottedVersion: Sendable, Comparable {
    /// The version's text.
    public var text: String

    /// Creates a version from a text. Nil is version 0.
    public init(_ text: String?) { self.text = text ?? "0" }

    /// Returns whether the versions are equal as dotted numbers.
    public static func == (left: DottedVersion, right: DottedVersion) -> Bool { compare(left, right) == 0 }
    /// Returns whether the left version is older.
    public static func < (left: DottedVersion, right: DottedVersion) -> Bool { compare(left, right) < 0 }

    /// Returns whether the first component is greater than the other version's.
    public func majorIsNewer(than other: DottedVersion) -> Bool {
        var mine = Components(text)
        var others = Components(other.text)
        return Components.compare(mine.next(), others.next()) > 0
    }

    private static func compare(_ left: DottedVersion, _ right: DottedVersion) -> Int {
        var left = Components(left.text)
        var right = Components(right.text)
        while !left.isAtEnd || !right.isAtEnd {
            let order = Components.compare(left.next(), right.next())
            if order != 0 { return order }
        }
        return 0
    }
}

/// The components of a version, each as its significant digits.
private struct Components {
    private var rest: Substring.UTF8View
    private static let limit = 256

    init(_ text: String) { rest = text.utf8.prefix(Components.limit) }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next component's leading digits, without leading zeros. Empty for 0 and past the end.
    mutating func next() -> Substring.UTF8View {
        let component = rest.prefix { $0 != 0x2E }
        rest = rest[component.endIndex...].dropFirst()
        return component.prefix { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }
    }

    /// Compares numbers of any length without leading zeros: first by the number of digits, then digit by digit.
    static func compare(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Int {
        let counts = left.count - right.count
        if counts != 0 { return counts }
        for (left, right) in zip(left, right) where left != right { return left < right ? -1 : 1 }
        return 0
    }
}
