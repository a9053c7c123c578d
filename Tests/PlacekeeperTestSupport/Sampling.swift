import Foundation

extension Collection {
    /// Every fourth element, for cases that take long together. `make long-runs` sets `PLACEKEEPER_STRIDE` to 1 and
    /// plays all.
    package var sampled: [Element] {
        enumerated().filter { $0.offset % samplingStride == 0 }.map(\.element)
    }
}

/// The distance between two cases of a sample.
package let samplingStride = max(1, ProcessInfo.processInfo.environment["PLACEKEEPER_STRIDE"].flatMap { Int($0) } ?? 4)

/// Returns all pairs of two collections, as arguments of a test with two parameters.
package func pairs<A: Collection, B: Collection>(_ first: A, _ second: B) -> [(A.Element, B.Element)] {
    first.flatMap { one in second.map { (one, $0) } }
}
