/// Pseudo-random numbers (SplitMix64). A seed always gives the same numbers.
struct Chance: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x4C49_5354 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
    mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }
    /// Returns a number from 0 to 1, without 1.
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
    mutating func happens(_ share: Double) -> Bool { fraction() < share }

    /// Returns one of the values. `shares` has the probability of each value except the last.
    mutating func pick<Value>(_ values: [Value], shares: [Double]) -> Value {
        var rest = fraction()
        for (value, share) in zip(values, shares) {
            if rest < share { return value }
            rest -= share
        }
        return values[values.count - 1]
    }
}
