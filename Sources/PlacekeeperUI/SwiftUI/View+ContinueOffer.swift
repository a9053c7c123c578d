#if canImport(SwiftUI)
    import Observation
    public import PlacekeeperClient
    public import SwiftUI

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension View {
        /// Shows a card when another device has a newer place. The view must be inside a view with `keepsPlace` for the
        /// same scene: `keepsPlace` restores the place that the user takes. So write `continueOffer` before
        /// `keepsPlace`. Elsewhere, no card is shown, the log explains why, and a debug build shows the explanation
        /// instead of the card.
        public func continueOffer(_ scene: KeptScene) -> some View {
            continueOffer(scene) { card, answer in ContinueCard(card: card, answer: answer) }
        }

        /// Shows the app's own card when another device has a newer place.
        /// - Parameters:
        ///   - scene: The scene of `keepsPlace`.
        ///   - card: Creates the card from its content. The card calls the answer with true to continue there, or with
        ///     false to dismiss the offer. It should show `problemText`, and disable its button to continue while
        ///     `isBeingTaken` is true. The other button always dismisses the offer.
        public func continueOffer<Card: View>(
            _ scene: KeptScene,
            @ViewBuilder card: @escaping (_ card: OfferCard, _ answer: @escaping @MainActor (Bool) -> Void) -> Card
        ) -> some View {
            modifier(ContinueOffer(scene: scene.name, card: card))
        }
    }

    /// The offer of a window, for the view that shows it.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @MainActor
    @Observable
    private final class ObservedOffer {
        private(set) var card: OfferCard?
        @ObservationIgnored private var presenter: OfferPresenter?

        /// Follows the offers while the view is shown. A view that comes back has the same presenter, which removes its
        /// card if the offer has ended.
        func follow(_ place: KeptPlace) async {
            if presenter?.place !== place {
                presenter = OfferPresenter(place)
                presenter?.didChange = { [weak self] in self?.card = self?.presenter?.card }
                card = nil
            }
            await presenter?.follow()
        }

        func answer(_ isTaken: Bool) {
            if isTaken { Task { await presenter?.take() } } else { presenter?.dismiss() }
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    private struct ContinueOffer<Card: View>: ViewModifier {
        @Environment(\.keptPlace) private var window
        @State private var offer = ObservedOffer()
        @State private var misplacement: OfferMisplacement?
        let scene: String
        let card: (OfferCard, @escaping @MainActor (Bool) -> Void) -> Card

        init(scene: String, card: @escaping (OfferCard, @escaping @MainActor (Bool) -> Void) -> Card) {
            self.scene = scene
            self.card = card
        }

        func body(content: Content) -> some View {
            content
                .overlay(alignment: .bottom) {
                    if let present = offer.card { card(present) { offer.answer($0) } }
                    #if DEBUG
                        if let misplacement { Text(misplacement.sentence).padding(12).background(.regularMaterial) }
                    #endif
                }
                .task {
                    misplacement = OfferMisplacement(kept: window?.place.role, offered: scene)
                    if let misplacement { DeveloperLog.write(misplacement.sentence) }
                    guard let place = window?.place, misplacement == nil else { return }
                    await offer.follow(place)
                }
        }
    }
#endif
