import PlacekeeperCore

extension Array {
    /// Returns the elements in order, in batches of at most `size`.
    package func batches(of size: Int = Limits.batch) -> some Sequence<ArraySlice<Element>> {
        stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
    }
}
