public import Foundation
public import PlacekeeperClient

/// The current offer of a scene, for a card or a banner.
@MainActor
public final class OfferPresenter {
    /// The place that takes an offer.
    public let place: KeptPlace
    /// The card for the current offer. Nil if there is none.
    public private(set) var card: OfferCard?
    /// The problem of the last attempt to take the offer, which left the window unchanged. It is also part of the card.
    public var problem: PlacekeeperError? { card?.problem }
    /// Called after a property has changed.
    public var didChange: (@MainActor () -> Void)?
    private var snapshot: Task<Void, Never>?
    private var isObserving = false
    private var taking: Task<Bool, any Error>?

    /// Creates a presenter without an offer.
    public init(_ place: KeptPlace) { self.place = place }

    /// Shows the scene's offers until the task is canceled. A view that reappears follows them again: if its card's
    /// offer ended in the meantime, the card disappears.
    public func follow() async {
        for await offer in place.scene.offers { show(offer) }
        snapshot?.cancel()
    }

    /// Shows an offer, such as `Launch.offer`, and loads its screenshot. Nil removes the card, and so does a sign-out.
    public func show(_ offer: Offer?) {
        observeAccount()
        let offer = offer.flatMap { $0.place.owner == place.scene.account.owner ? $0 : nil }
        snapshot?.cancel()
        if offer != card?.offer {
            card = offer.map { OfferCard($0, shownAt: Date()) }
            didChange?()
        }
        guard let offer, offer.place.hasSnapshot, !offer.isQuiet, card?.snapshot == nil else { return }
        snapshot = Task { [weak self] in
            // Without a screenshot, the card shows only the titles.
            guard let bytes = try? await self?.place.scene.snapshot(of: offer.place) else { return }
            self?.change(offer) { $0.snapshot = bytes }
        }
    }

    /// Restores the offered state. Does nothing while the offer is already being taken. If the state is gone or there
    /// is no connection, the card remains, with the reason in `problem`. The card also remains if the user works in the
    /// window in the meantime. Canceling the task that calls this method doesn't stop the restore, but `dismiss()`
    /// does.
    public func take() async {
        guard let offer = card?.offer, card?.isBeingTaken == false else { return }
        change(offer) { ($0.isBeingTaken, $0.problem) = (true, nil) }
        taking?.cancel()
        let task: Task<Bool, any Error> = Task { [place] in try await place.take(offer) }
        taking = task
        do {
            let isRestored = try await task.value
            // A newer offer may have arrived in the meantime.
            if isRestored, card?.offer.place.id == offer.place.id { show(nil) }
            change(offer) { $0.isBeingTaken = false }
        } catch {
            let problem = error as? PlacekeeperError
            change(offer) { ($0.isBeingTaken, $0.problem) = (false, problem) }
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
    private func change(_ offer: Offer, _ body: (inout OfferCard) -> Void) {
        guard var card, card.offer == offer else { return }
        body(&card)
        self.card = card
        didChange?()
    }

    /// Removes the card, even while the offer is being taken. The place isn't offered on this device again.
    public func dismiss() {
        guard let offer = card?.offer else { return }
        place.scene.dismiss(offer)
        taking?.cancel()
        show(nil)
    }
}

/// The content of a card that offers to continue another device's place.
public struct OfferCard: Sendable, Hashable {
    /// The offer.
    public var offer: Offer
    /// The name of the device, or its kind, such as `iPad`. Nil if neither is known. Also nil if the offer is this
    /// device's own state (`Offer.place.isOwn`), which was not restored in time because the user had already started
    /// working.
    public var device: String?
    /// The titles of the screens, from the first one on. Empty if the archive has none.
    public var titles: [String]
    /// The time of the user's last interaction with the offered state, by this device's clock.
    public var date: Date
    /// The offer's `progress` as text for the user, such as `18 % behind: 42 % there, 60 % here`. Nil if the offer has
    /// none, or if the rounded percentages are equal.
    public var progressText: String? {
        guard let progress = offer.progress else { return nil }
        let (there, here) = (Self.percent(progress.offered), Self.percent(progress.own))
        guard there != here else { return nil }
        return "\(abs(there - here)) % \(there < here ? "behind" : "ahead"): \(there) % there, \(here) % here"
    }
    /// Whether to show the card without interrupting the user (`Offer.isQuiet`): smaller, and without a screenshot.
    public var isQuiet: Bool { offer.isQuiet }
    /// The screenshot, as PNG or JPEG. Nil until it is loaded, or if none is stored.
    public var snapshot: [UInt8]?
    /// Whether the user chose to continue and the state hasn't arrived yet. Meanwhile, disable the card's button to
    /// continue, but not its button to dismiss.
    public var isBeingTaken = false
    /// Why the user's last attempt to continue at the offered place failed. Nil if it did not.
    public var problem: PlacekeeperError?

    /// A sentence about `problem` for the user. Nil if there is no problem.
    public var problemText: String? {
        problem.map { problem in
            [.offline, .busy].contains(problem.code)
                ? "There is no connection. Try again later." : "This place cannot be opened."
        }
    }

    /// Creates the content of a card.
    /// - Parameters:
    ///   - offer: The offer.
    ///   - shownAt: The time when the offer arrived, by this device's clock.
    public init(_ offer: Offer, shownAt: Date) {
        self.offer = offer
        device = offer.place.isOwn ? nil : offer.place.deviceName ?? offer.place.deviceModel.flatMap(Self.kind)
        titles = offer.place.titles
        date = shownAt.addingTimeInterval(-max(0, offer.place.age))
    }

    private static func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }

    /// Returns the kind of a device from its model, such as `iPad13,1`.
    static func kind(ofModel model: String) -> String? {
        let kinds = [
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("iPod", "iPod touch"), ("AppleTV", "Apple TV"),
            ("RealityDevice", "Apple Vision Pro"), ("Watch", "Apple Watch"),
        ]
        return kinds.first { model.hasPrefix($0.0) }?.1 ?? (model.contains("Mac") ? "Mac" : nil)
    }
}
