public import Foundation
public import Observation
public import PlacekeeperClient
import PlacekeeperModels

extension Placekeeper {
    /// Returns a scene whose state is a `Codable` value: for a command, for AppKit, and for any app without `keepsPlace`.
    ///
    /// ```swift
    /// let scene = placekeeper.scene(Reading.self)
    /// var reading = await scene.restore(items: books).value ?? Reading()
    /// scene.save(reading)
    /// ```
    /// - Parameters:
    ///   - type: The type of the state. An array is a path: each element is a screen, and a restore ends before a screen
    ///     that this device can't show.
    ///   - name: The name of the scene: a window's role or a document, not an instance of `UIScene`. 1 to 64 characters
    ///     from `A–Z a–z 0–9 . _ -`.
    @MainActor
    public func scene<Value: Codable>(_ type: Value.Type, _ name: String = "main") -> Scene<Value> {
        Scene(scene(name))
    }

    /// A scene of the app, whose state is a value.
    @MainActor
    public final class Scene<Value: Codable> {
        /// What a scene shows at launch.
        public struct Restoration {
            /// The state to show. Nil if the scene starts fresh.
            public let value: Value?
            /// Why.
            public let reason: Reason
            /// A newer place elsewhere, to offer to the user. Later ones arrive in `Scene.offer`.
            public let offer: Offer?
        }

        private let kept: KeptScene
        private let place: KeptPlace
        private let navigator = ValueNavigator<Value>()
        private let observation = ObservationBox()
        private var current: Offer?
        private var following: Task<Void, Never>?

        init(_ kept: KeptScene) {
            self.kept = kept
            place = KeptPlace(kept, navigator: navigator, device: kept.device)
        }

        deinit { following?.cancel() }

        /// The name of the scene.
        public var name: String { kept.name }

        /// Returns the state to show at launch. This device's own state usually takes 50 milliseconds, even offline. A
        /// device that has never used the scene, or whose app was updated, waits for the service, until
        /// `Configuration.launchDeadline`.
        ///
        /// Call it again after the account changes, such as at a sign-out: what the app shows belongs to the previous
        /// account, and isn't saved until then. A state that crashes the app in its first seconds isn't restored again
        /// by this version of the app.
        /// - Parameter items: The lists whose items the state refers to. A reference to an item that isn't in them waits:
        ///   `items[reference]` returns it once the list has it.
        public func restore(items: any ItemSource...) async -> Restoration {
            navigator.lists = items.map(\.list)
            let launch = await kept.launch()
            let value: Value? = if let served = launch.restore { await show(served) } else { nil }
            if launch.offer != nil { note(launch.offer) }
            follow()
            let isUnreadable = launch.restore != nil && value == nil
            return Restoration(
                value: value, reason: isUnreadable ? .init(.unreadable) : launch.reason, offer: launch.offer)
        }

        /// Returns the state of a place that the user chose: of an offer, of `history()` or of `Placekeeper.places()`. It
        /// becomes the newest state at the user's next interaction, so save the present state before.
        /// - Parameters:
        ///   - place: The place.
        ///   - items: The lists whose items the state refers to.
        /// - Returns: The state. Nil if this version of the app can't read it.
        /// - Throws: An error if the place can't be fetched. Leave everything as it is then.
        public func restore(_ place: Place, items: any ItemSource...) async throws -> Value? {
            navigator.lists = items.map(\.list)
            return await show(try await kept.take(place))
        }

        private func show(_ served: Served) async -> Value? {
            navigator.goToFirstScreen()
            let result = await place.restore(served)
            return result?.reached.isEmpty == false ? navigator.value : nil
        }

        /// Saves the state. Restore the scene first, unless this process only saves: what you save replaces what the scene
        /// has. Returns immediately: the state is written and sent on the client's own queue. If it can't be
        /// saved, `Placekeeper.status` says why.
        /// - Parameters:
        ///   - value: The state.
        ///   - items: The lists whose items the state refers to. With them, an item without a unique alias is found by
        ///     its neighbors.
        ///   - title: The title that an offer on another device shows. Defaults to the title of the first item.
        ///   - interaction: The user's last interaction. By default, a changed state counts as the user's work.
        ///   - snapshot: A PNG or JPEG image of the screen, at most 2 MiB. It is sent if the operator allows screenshots.
        public func save(
            _ value: Value, items: any ItemSource..., title: String? = nil, interaction: Interaction = .ifChanged,
            snapshot: Data? = nil
        ) {
            if !items.isEmpty { navigator.lists = items.map(\.list) }
            navigator.title = title
            navigator.show(value)
            let (archive, encoded) = place.archiveToSave()
            kept.save(
                archive, encoded: encoded, interaction: interaction, snapshot: snapshot.map { [UInt8]($0) })
        }

        /// The newer place of another device, to offer to the user. SwiftUI observes it.
        public var offer: Offer? {
            follow()
            if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
                observation.registrar?.access(self, keyPath: \.offer)
            }
            return current
        }

        /// The current offer, then each change of it.
        public var offers: AsyncStream<Offer?> { kept.offers }

        private func follow() {
            guard following == nil else { return }
            following = Task { [weak self, offers = kept.offers] in
                for await offer in offers { self?.note(offer) }
            }
        }

        private func note(_ offer: Offer?) {
            if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *), let registrar = observation.registrar {
                registrar.withMutation(of: self, keyPath: \.offer) { current = offer }
            } else {
                current = offer
            }
        }

        /// Stops offering a place on this device.
        ///
        /// If the place is behind (`Offer.progress`), later places that are also behind in this item are not offered
        /// either, until the user works in another item here or takes another device's place.
        public func dismiss(_ offer: Offer) { kept.dismiss(offer) }

        /// Returns the screenshot of a place, as PNG or JPEG, if `Place.hasSnapshot` is true.
        public func snapshot(of place: Place) async throws -> Data {
            try await throwing { () async throws(PlacekeeperError) in Data(try await kept.snapshot(of: place)) }
        }

        /// Returns the stored states of the scene, newest first. Older states are thinned out.
        public func history() async throws -> [Place] {
            try await throwing { () async throws(PlacekeeperError) in try await kept.history() }
        }

        /// Deletes the scene's states from this device and from the service, for a document that the user deletes. Close
        /// its window first: a later save starts the scene anew. Throws if the service doesn't answer; then nothing is
        /// deleted.
        public func delete() async throws {
            try await throwing { () async throws(PlacekeeperError) in try await kept.forget() }
        }
    }
}

extension Placekeeper.Scene.Restoration: Sendable where Value: Sendable {}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
extension Placekeeper.Scene: Observable {}
