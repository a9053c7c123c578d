/// A comparison whose time doesn't depend on the content of the bytes.
package enum ConstantTime {
    /// Whether both arrays are equal. The time reveals only their length, and whether the lengths are equal.
    package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && haveEqualBytes(left, right)
    }
}
