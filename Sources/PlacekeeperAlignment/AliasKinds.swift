/// Numbers the kinds of aliases. An alias's kind is its text before the first colon, such as `server` in `server:4711`.
/// Aliases without a colon form one kind.
package struct AliasKinds {
    private var numbers: [Substring: Int] = [:]

    package init() {}

    /// Returns the alias's kind. Nil if the alias has no colon.
    package static func kind(of alias: String) -> Substring? {
        alias.utf8.firstIndex(of: UInt8(ascii: ":")).map { alias[..<$0] }
    }

    /// Returns the number of the alias's kind.
    package mutating func number(of alias: String) -> Int {
        let kind = Self.kind(of: alias) ?? ""
        if let number = numbers[kind] { return number }
        numbers[kind] = numbers.count
        return numbers.count - 1
    }
}
