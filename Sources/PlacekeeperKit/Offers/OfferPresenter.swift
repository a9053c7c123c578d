import Foundation
import PlacekeeperClient

/// The current offer of a scene, for a card or a banner.
@MainActor
final class OfferPresenter {
    /// The place that takes an offer.
    let place: KeptPlace
    /// The card for the current offer. Nil if there is none.
    private(set) var card: PlaceOffer?
    /// The problem of the last attempt to take the offer, which left the window unchanged. It is also part of the card.
    var problem: PlacekeeperError? { card?.problem }
    /// Called after a property has changed.
    var didChange: (@MainActor () -> Void)?
    private var snapshot: Task<Void, Never>?
    private var isObserving = false
    private var taking: Task<Bool, any Error>?

    /// Creates a presenter without an offer.
    init(_ place: KeptPlace) { self.place = place }

    /// Shows the scene's offers until the task is canceled. A view that reappears follows them again: if its card's
    /// offer ended in the meantime, the card disappears.
    func follow() async {
        for await offer in place.scene.offers { show(offer) }
        snapshot?.cancel()
    }

    /// Shows an offer, such as `Launch.offer`, and loads its screenshot. Nil removes the card, and so does a sign-out.
    func show(_ offer: Placekeeper.Offer?) {
        observeAccount()
        let offer = offer.flatMap { $0.place.owner == place.scene.account.owner ? $0 : nil }
        snapshot?.cancel()
        if offer != card?.offer {
            card = offer.map { PlaceOffer($0, self) }
            didChange?()
        }
        guard let offer, offer.place.hasSnapshot, !offer.isQuiet, card?.snapshot == nil else { return }
        snapshot = Task { [weak self] in
            // Without a screenshot, the card shows only the titles.
            guard let bytes = try? await self?.place.scene.snapshot(of: offer.place) else { return }
            self?.change(offer) { $0.snapshot = Data(bytes) }
        }
    }

    /// Restores the offered state. Does nothing while the offer is already being restored. If the state is gone or there
    /// is no connection, the card remains, with the reason in `problem`. The card also remains if the user works in the
    /// window in the meantime. Canceling the task that calls this method doesn't stop the restore, but `dismiss()`
    /// does.
    func restore() async {
        guard let offer = card?.offer, card?.isRestoring == false else { return }
        change(offer) { ($0.isRestoring, $0.problem) = (true, nil) }
        taking?.cancel()
        let task: Task<Bool, any Error> = Task { [place] in try await place.take(offer) }
        taking = task
        do {
            let isRestored = try await task.value
            // A newer offer may have arrived in the meantime.
            if isRestored, card?.offer.place.id == offer.place.id { show(nil) }
            change(offer) { $0.isRestoring = false }
        } catch {
            let problem = error as? PlacekeeperError
            change(offer) { ($0.isRestoring, $0.problem) = (false, problem) }
        }
    }

    /// Removes the card when the device leaves the card's account.
    private func observeAccount() {
        guard !isObserving else { return }
        isObserving = true
        place.scene.observeAccount { [weak self] in
            guard let self else { return false }
            if let card = self.card, card.offer.place.owner != self.place.scene.account.owner { self.show(nil) }
            return true
        }
    }

    /// Changes an offer's card if it is still shown.
    private func change(_ offer: Placekeeper.Offer, _ body: (inout PlaceOffer) -> Void) {
        guard var card, card.offer == offer else { return }
        body(&card)
        self.card = card
        didChange?()
    }

    /// Removes the card, even while the offer is being taken. The place isn't offered on this device again.
    func dismiss() {
        guard let offer = card?.offer else { return }
        place.scene.dismiss(offer)
        taking?.cancel()
        show(nil)
    }
}
