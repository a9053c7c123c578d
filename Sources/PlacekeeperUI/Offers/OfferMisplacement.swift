/// The reason why `continueOffer` shows no card anywhere: a mistake of the app.
enum OfferMisplacement: Equatable {
    /// The view is not inside a view with `keepsPlace`.
    case outside
    /// The view with `keepsPlace` keeps another scene.
    case otherScene(kept: String, offered: String)

    /// Nil if the view is at the right place.
    /// - Parameters:
    ///   - kept: The scene of `keepsPlace`. Nil if the view is not inside such a view.
    ///   - offered: The scene of `continueOffer`.
    init?(kept: String?, offered: String) {
        guard let kept else {
            self = .outside
            return
        }
        guard kept != offered else { return nil }
        self = .otherScene(kept: kept, offered: offered)
    }

    /// A sentence for the developers of the app.
    var sentence: String {
        switch self {
        case .outside:
            "continueOffer shows no offers here: it must be inside keepsPlace, so write continueOffer before keepsPlace."
        case .otherScene(let kept, let offered):
            "continueOffer shows no offers here: it has the scene \(offered), and keepsPlace has the scene \(kept)."
        }
    }
}
