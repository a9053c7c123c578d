import PlacekeeperArchive
import PlacekeeperModels

/// Decides whether a view must show other items, by comparing them with the kept ones.
struct ShownItems {
    /// The number of restores at the last comparison. Nil before the first one.
    private var restoreCount: Int?

    /// Returns the identifiers that the view must show. Nil if the view needn't change.
    ///
    /// After a restore, a view without kept items shows none, because its items were selected at another place. A view
    /// that just appeared keeps the items that the app chose.
    @MainActor
    mutating func update(
        _ shown: [String], forKey key: String, in list: any ModelAssociation, _ place: KeptPlace
    ) -> [String]? {
        let isRestored = restoreCount.map { $0 != place.restoreCount } ?? false
        restoreCount = place.restoreCount
        let kept = place.identifiers(forKey: key, in: list)
        guard !kept.isEmpty || isRestored, Set(kept.map(ByteText.init)) != Set(shown.map(ByteText.init)) else {
            return nil
        }
        return kept
    }
}
