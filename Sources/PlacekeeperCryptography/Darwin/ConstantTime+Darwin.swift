import PlacekeeperSystem

extension ConstantTime {
    /// Compares two arrays of the same length.
    static func haveEqualBytes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        timingsafe_bcmp(left, right, left.count) == 0
    }
}
