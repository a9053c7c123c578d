import PlacekeeperRuntime

/// The items that a view shows, compared with the kept items: whether the view must show others.
struct ShownItems {
    /// The number of restores when the view was compared last. Nil before the first comparison.
    private var restoreCount: Int?

    /// Returns the ids that the view must show. Nil if the view stays as it is.
    ///
    /// After a restore, a view without kept items shows none: its items were selected at another place. A view that
    /// appears keeps the items that the app chose.
    @MainActor
    mutating func update<ID: StateConvertible & Equatable>(
        _ shown: [ID], forKey key: String, in list: any ModelAssociation, _ place: KeptPlace
    ) -> [ID]? {
        let isRestored = restoreCount.map { $0 != place.restoreCount } ?? false
        restoreCount = place.restoreCount
        let kept: [ID] = place.ids(forKey: key, in: list)
        guard !kept.isEmpty || isRestored, kept != shown else { return nil }
        return kept
    }
}
