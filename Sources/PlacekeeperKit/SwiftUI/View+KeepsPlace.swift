#if canImport(SwiftUI)
    import Observation
    import PlacekeeperArchive
    public import PlacekeeperClient
    public import SwiftUI

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    extension View {
        /// Keeps a window's state: restores it when the view appears, saves it when it changes, sends it when the app goes
        /// to the background, and shows a card when another device has a newer place.
        ///
        /// ```swift
        /// NavigationStack(path: $path) { Library() }
        ///     .keepsPlace($path, in: placekeeper, items: shelf.books)
        /// ```
        /// The state is any `Codable` value. An array is a path: each element is a screen, and a restore stops before a
        /// screen whose item hasn't loaded, or that this version of the app doesn't know. It continues when the items
        /// change. Any other value is restored as a whole, and references in it wait for their items.
        ///
        /// Only the user's work replaces the place of another device. If a path isn't empty when the view appears, the
        /// user has opened a link: nothing is restored then, and the state is offered.
        /// A later change counts as the user's if the user has touched the window or pressed a key since it appeared, has
        /// opened a URL, or uses an assistive technology such as VoiceOver. Every other change is the app's own, such as
        /// the first selection after loading: a restore replaces it, and it never replaces newer work. To mark a change,
        /// call the environment's `noteInteraction`.
        ///
        /// The first window has the scene itself. Each further window of the same scene, as on an iPad or a Mac, gets
        /// its own scene, such as `main-2`, which starts fresh.
        /// - Parameters:
        ///   - value: The state, such as the path of a navigation stack.
        ///   - placekeeper: The client.
        ///   - scene: The name of the scene: a window's role or a document, not an instance of `UIScene`. 1 to 64
        ///     characters from `A–Z a–z 0–9 . _ -`.
        ///   - items: The lists whose items the state refers to.
        ///   - title: The title of the first screen, which an offer on another device shows.
        ///   - activityType: The type of the app's activities, listed under `NSUserActivityTypes` in Info.plist. The
        ///     view then advertises its place for Handoff, and continues the places of other devices. Nil for no
        ///     Handoff.
        public func keepsPlace<Value: Codable & Equatable>(
            _ value: Binding<Value>, in placekeeper: Placekeeper, scene: String = "main",
            items: any ItemSource..., title: String? = nil, activityType: String? = nil
        ) -> some View {
            modifier(
                PlaceKeeping(
                    value, placekeeper, scene: scene, items: items, title: title, activityType: activityType,
                    card: { PlaceOfferCard($0) }))
        }

        /// Keeps a window's state, and shows the app's own card when another device has a newer place.
        /// - Parameters:
        ///   - value: The state, such as the path of a navigation stack.
        ///   - placekeeper: The client.
        ///   - scene: The name of the scene.
        ///   - items: The lists whose items the state refers to.
        ///   - title: The title of the first screen, which an offer on another device shows.
        ///   - activityType: The type of the app's activities for Handoff.
        ///   - card: Creates the card. It should show `problemText`, and disable its button to continue while
        ///     `isRestoring` is true.
        public func keepsPlace<Value: Codable & Equatable, Card: View>(
            _ value: Binding<Value>, in placekeeper: Placekeeper, scene: String = "main",
            items: any ItemSource..., title: String? = nil, activityType: String? = nil,
            @ViewBuilder card: @escaping (_ offer: PlaceOffer) -> Card
        ) -> some View {
            modifier(
                PlaceKeeping(
                    value, placekeeper, scene: scene, items: items, title: title, activityType: activityType,
                    card: card))
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    private struct PlaceKeeping<Value: Codable & Equatable, Card: View>: ViewModifier {
        @Environment(\.scenePhase) private var phase
        @Binding private var value: Value
        // SwiftUI keeps the objects that the first call of the initializer made, and drops the objects of later calls.
        @State private var window: ValueWindow<Value>
        @State private var observed: ObservedPlace
        @State private var offer = ObservedOffer()
        // The system restores this value with the window.
        // https://developer.apple.com/documentation/swiftui/scenestorage
        @SceneStorage private var remembered: String?
        private let placekeeper: Placekeeper
        private let items: [any ItemSource]
        private let title: String?
        private let activityType: String?
        private let card: (PlaceOffer) -> Card

        init(
            _ value: Binding<Value>, _ placekeeper: Placekeeper, scene: String, items: [any ItemSource],
            title: String?, activityType: String?, card: @escaping (PlaceOffer) -> Card
        ) {
            _value = value
            (self.placekeeper, self.items, self.title) = (placekeeper, items, title)
            (self.activityType, self.card) = (activityType, card)
            let window = ValueWindow(placekeeper.scene(scene), showing: value.wrappedValue, title: title)
            _remembered = SceneStorage("placekeeper.scene." + scene)
            _window = State(initialValue: window)
            _observed = State(initialValue: ObservedPlace(window.place))
        }

        func body(content: Content) -> some View {
            // The views inside follow this window's scene, so it must be known before they appear.
            let memory = window.place.open(remembered)
            let stamps = window.use(items, title: title)
            content
                .overlay(alignment: .bottom) { if let present = offer.card { card(present) } }
                .environment(\.keptPlace, observed)
                .seesInput(of: window.place)
                .modifier(NotedLayout { window.noteLayout($0) })
                // Runs before the view appears, and is canceled when it disappears.
                // https://developer.apple.com/documentation/swiftui/view/task(priority:_:)
                .task {
                    remembered = memory
                    await window.launch(showing: value)
                    if let missed = window.missedValue() { value = missed }
                }
                .task { await offer.follow(window.place) }
                .modifier(ContinuedActivities(place: window.place, type: activityType))
                .onChange(of: value) { _, value in window.note(value) }
                .onChange(of: observed.refreshCount) {
                    let restored = window.restoredValue()
                    if value != restored { value = restored }
                }
                .onChange(of: stamps) { Task { await window.place.lookAgain() } }
                .onChange(of: phase) { _, phase in
                    if phase != .active { window.leave(isBackground: phase == .background) }
                    if phase == .background { send() }
                }
                .onDisappear { window.place.save(isInteraction: false) }
        }

        private func send() {
            #if canImport(UIKit) && !os(watchOS)
                placekeeper.flushInBackground()
            #else
                Task { try? await placekeeper.flush() }
            #endif
        }
    }

    /// The offer of a window, for the view that shows it.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @MainActor
    @Observable
    private final class ObservedOffer {
        private(set) var card: PlaceOffer?
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
    }

    /// Uses the horizontal size class as the layout.
    /// https://developer.apple.com/documentation/swiftui/environmentvalues/horizontalsizeclass
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    private struct NotedLayout: ViewModifier {
        @Environment(\.horizontalSizeClass) private var sizeClass
        let note: @MainActor (ArchiveLayout?) -> Void

        init(note: @escaping @MainActor (ArchiveLayout?) -> Void) { self.note = note }

        func body(content: Content) -> some View {
            content.onChange(of: sizeClass, initial: true) { _, sizeClass in
                switch sizeClass {
                case .compact: note(.compact)
                case .regular: note(.regular)
                default: note(nil)
                }
            }
        }
    }
#endif
