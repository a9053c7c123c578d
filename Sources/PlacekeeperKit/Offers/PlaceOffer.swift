public import Foundation
public import PlacekeeperClient

/// An offer to continue at another device's place, as a card shows it.
@MainActor
public struct PlaceOffer {
    /// The place, and this device's own place beside it.
    public let offer: Placekeeper.Offer
    /// The screenshot, as PNG or JPEG. Nil until it is loaded, or if none is stored.
    public internal(set) var snapshot: Data?
    /// Whether the user chose to continue and the state hasn't arrived yet. Meanwhile, disable the button to continue,
    /// but not the one to dismiss.
    public internal(set) var isRestoring = false
    /// Why the user's last attempt to continue failed. Nil if it did not.
    public internal(set) var problem: PlacekeeperError?
    private let presenter: OfferPresenter

    init(_ offer: Placekeeper.Offer, _ presenter: OfferPresenter) { (self.offer, self.presenter) = (offer, presenter) }

    /// Goes to the place. If it can't be fetched, or if the user works in the window before it arrives, nothing changes
    /// on screen, and the offer remains.
    public func restore() { Task { await presenter.restore() } }

    /// Removes the card, even while the place is being restored. It isn't offered on this device again.
    public func dismiss() { presenter.dismiss() }

    /// The name of the device, or its kind, such as `iPad`. Nil if neither is known, or if the offer is this device's own
    /// state.
    public var deviceName: String? {
        let device = offer.place.device
        return device.isThisDevice ? nil : device.name ?? device.model.flatMap(Self.kind)
    }

    /// The progress as text for the user, such as `18 % behind: 42 % there, 60 % here`. Nil if there is none, or if the
    /// rounded percentages are equal.
    public var progressText: String? {
        guard let progress = offer.progress else { return nil }
        let (there, here) = (Self.percent(progress.offered), Self.percent(progress.own))
        guard there != here else { return nil }
        return "\(abs(there - here)) % \(there < here ? "behind" : "ahead"): \(there) % there, \(here) % here"
    }

    /// A sentence about `problem` for the user.
    public var problemText: String? {
        problem.map { problem in
            [.offline, .busy].contains(problem.code)
                ? "There is no connection. Try again later." : "This place cannot be opened."
        }
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
