/// The reason why `continueOffer` can't show a card: a mistake in the app.
enum OfferMisplacement: Equatable {
    /// The view isn't inside a view with `keepsPlace`.
    case outside
    /// The surrounding `keepsPlace` is for another scene.
    case otherScene(kept: String, offered: String)

    /// Nil if the view is in the right place.
    /// - Parameters:
    ///   - kept: The scene of `keepsPlace`. Nil if the view isn't inside such a view.
    ///   - offered: The scene of `continueOffer`.
    init?(kept: String?, offered: String) {
        guard let kept else {
            self = .outside
            return
        }
        guard kept != offered else { return nil }
        self = .otherScene(kept: kept, offered: offered)
    }

    /// A sentence for the app's developers.
    var sentence: String {
        switch self {
        case .outside:
            "continueOffer shows no offers here: it must be inside keepsPlace, so write continueOffer before keepsPlace."
        case .otherScene(let kept, let offered):
            "continueOffer shows no offers here: it has the scene \(offered), and keepsPlace has the scene \(kept)."
        }
    }
}
