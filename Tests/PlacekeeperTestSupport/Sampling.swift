import Foundation

extension Collection {
    /// Every fourth element, for cases that take long together. `make long-runs` sets `PLACEKEEPER_STRIDE` to 1 and
    /// plays all.
    package var sampled: [Element] { sampled(from: 0) }

    /// Every fourth element from another one on, for a second test with the same cases.
    package func sampled(from first: Int) -> [Element] {
        enumerated().filter { $0.offset % samplingStride == first % samplingStride }.map(\.element)
    }
}

/// The distance between two cases of a sample.
package let samplingStride = max(1, ProcessInfo.processInfo.environment["PLACEKEEPER_STRIDE"].flatMap { Int($0) } ?? 4)

/// Returns all pairs of two collections, as arguments of a test with two parameters.
package func pairs<A: Collection, B: Collection>(_ first: A, _ second: B) -> [(A.Element, B.Element)] {
    first.flatMap { one in second.map { (one, $0) } }
}
