/// Position numbers that increase in list order and change as little as possible when the list changes.
///
/// Elements that stay in order keep their numbers, unless a new element needs more room between two of them. So the
/// number of a removed element still shows where it was. A new element gets a number between those of its neighbors.
struct ListPositions {
    /// The gap between neighbors in a list that is numbered for the first time.
    static let step: Int64 = 1 << 16
    /// The minimum gap between neighbors that are renumbered to make room.
    private static let room: Int64 = 16
    /// Earlier numbers in this range can be kept; others are replaced. The range leaves room for new numbers at both
    /// ends of `Int64`.
    private static let range = -(Int64(1) << 61)...(Int64(1) << 61)

    /// The number of each element, in list order.
    private(set) var numbers: [Int64]
    private let places: [Int]
    private var isNumbered: [Bool]

    /// Numbers the elements.
    /// - Parameters:
    ///   - places: For each element, in list order: how many elements of the whole list come before it.
    ///   - earlier: The earlier number of each element, in the same order. `nil` for a new element.
    init(places: [Int], keeping earlier: [Int64?]) {
        self.places = places
        numbers = places.map { _ in 0 }
        isNumbered = places.map { _ in false }
        let known = earlier.enumerated().compactMap { index, number in
            number.flatMap { Self.range.contains($0) ? (index: index, number: $0) : nil }
        }
        for place in Self.longestRise(of: known.map(\.number)) {
            numbers[known[place].index] = known[place].number
            isNumbered[known[place].index] = true
        }
        var start = 0
        while let first = isNumbered[start...].firstIndex(of: false) { start = number(first..<nextNumbered(first)) }
    }

    private func nextNumbered(_ index: Int) -> Int {
        isNumbered[index...].firstIndex(of: true) ?? isNumbered.endIndex
    }

    /// Numbers a run of elements between two numbered ones. If there is no room between those two, elements next to the
    /// run get new numbers too.
    /// - Returns: The end of the range of elements that got numbers.
    private mutating func number(_ run: Range<Int>) -> Int {
        var run = run
        var width = 0
        while !take(run, leaving: width == 0 ? 1 : Self.room) {
            width = max(1, width * 2)
            run = max(0, run.lowerBound - width)..<nextNumbered(min(numbers.count, run.upperBound + width))
        }
        return run.upperBound
    }

    /// Numbers a run of elements. Returns false and changes nothing if the gap between two neighbors would be less than
    /// `room`.
    private mutating func take(_ run: Range<Int>, leaving room: Int64) -> Bool {
        let before = run.lowerBound > 0 ? numbers[run.lowerBound - 1] : nil
        let after = run.upperBound < numbers.count ? numbers[run.upperBound] : nil
        let count = Int64(run.count)
        switch (before, after) {
        case (nil, nil):
            numbers = places.map { Int64($0) * Self.step }
        case (let before?, let after?):
            let step = (after - before) / (count + 1)
            guard step >= room else { return false }
            for (number, index) in zip(Int64(1)..., run) { numbers[index] = before + number * step }
        case (let before?, nil):
            for (number, index) in zip(Int64(1)..., run) { numbers[index] = before + number * Self.step }
        case (nil, let after?):
            for (number, index) in zip(Int64(1)..., run) { numbers[index] = after - (count + 1 - number) * Self.step }
        }
        for index in run { isNumbered[index] = true }
        return true
    }

    /// Returns the indices of a longest increasing subsequence.
    private static func longestRise(of values: [Int64]) -> [Int] {
        // For each length, the index of the smallest value that ends an increasing subsequence of this length.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: values.count)
        for (index, value) in values.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var rise: [Int] = []
        var next = ends.last
        while let index = next {
            rise.append(index)
            next = previous[index]
        }
        return rise.reversed()
    }
}
