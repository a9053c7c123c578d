#if canImport(SwiftUI)
    import PlacekeeperArchive
    public import PlacekeeperClient
    public import PlacekeeperRuntime
    public import SwiftUI

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension View {
        /// Keeps the path of a navigation stack, and the values and items of the views inside the stack. Launches the
        /// scene when the view appears, and restores the state that may be restored here.
        ///
        /// ```swift
        /// NavigationStack(path: $path) { Library() }
        ///     .continueOffer(scene)
        ///     .keepsPlace(scene, path: $path, lists: [shelf], dataVersion: shelf.books.count)
        /// ```
        /// A path that isn't empty when the view appears is a link that the user opened: nothing is restored then, and
        /// the state is offered. A later change of the path counts as the user's if the user has touched the window or
        /// pressed a key since it appeared, has opened a URL, or uses an assistive technology such as VoiceOver. Every
        /// other change is the app's own, such as the first selection after loading: a restore replaces it, and it
        /// never replaces newer work. To mark a change, call the environment's `noteNavigation`.
        ///
        /// The first window has the scene itself. Each further window of the same scene, as on an iPad or a Mac, gets
        /// its own scene, such as `main-2`, which starts fresh.
        /// - Parameters:
        ///   - scene: The scene that keeps the place.
        ///   - path: The path of the stack.
        ///   - lists: The lists whose items the routes show. The view keeps the lists of its first appearance.
        ///   - title: The title of the root screen, which an offer on another device shows.
        ///   - dataVersion: A value that changes when the lists have loaded data. A restore that waits for an item then
        ///     continues.
        ///   - device: The idiom, layout and versions of this device, as in the client's options. The layout defaults
        ///     to the view's horizontal size class.
        ///   - denyList: The names of values that are never saved.
        ///   - activityType: The type of the app's activities, listed under `NSUserActivityTypes` in Info.plist. The
        ///     view then advertises its place for Handoff, and continues the places of other devices. Nil for no
        ///     Handoff.
        public func keepsPlace<Route: PlaceRoute>(
            _ scene: KeptScene, path: Binding<[Route]>, lists: [any ModelAssociation] = [], title: String? = nil,
            dataVersion: some Equatable = 0, device: RestorationContext = .ofThisDevice, denyList: DenyList = .standard,
            activityType: String? = nil
        ) -> some View {
            modifier(
                KeptPlaceModifier(
                    path: path, dataVersion: dataVersion, role: scene.name, activityType: activityType,
                    window: RouteWindow(scene, lists, title: title, device, denyList)))
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    private struct KeptPlaceModifier<Route: PlaceRoute, Version: Equatable>: ViewModifier {
        @Binding private var path: [Route]
        private let dataVersion: Version
        private let activityType: String?
        // SwiftUI keeps the objects that the first call of the initializer made, and drops the objects of later calls.
        @Environment(\.scenePhase) private var phase
        @State private var window: RouteWindow<Route>
        @State private var observed: ObservedPlace
        // The system restores this value with the window.
        // https://developer.apple.com/documentation/swiftui/scenestorage
        @SceneStorage private var remembered: String?

        init(
            path: Binding<[Route]>, dataVersion: Version, role: String, activityType: String?,
            window: RouteWindow<Route>
        ) {
            _path = path
            self.dataVersion = dataVersion
            self.activityType = activityType
            _remembered = SceneStorage("placekeeper.scene." + role)
            _window = State(initialValue: window)
            _observed = State(initialValue: ObservedPlace(window.place))
        }

        func body(content: Content) -> some View {
            // The views inside follow this window's scene, so it must be known before they appear.
            let memory = window.place.open(remembered)
            content
                .environment(\.keptPlace, observed)
                .seesInput(of: window.place)
                .modifier(NotedLayout { window.noteLayout($0) })
                // Runs before the view appears, and is canceled when it disappears.
                // https://developer.apple.com/documentation/swiftui/view/task(priority:_:)
                .task {
                    remembered = memory
                    await window.launch(showing: path)
                    if let missed = window.missedPath() { path = missed }
                }
                .modifier(ContinuedActivities(place: window.place, type: activityType))
                .onChange(of: path) { _, path in window.note(path) }
                .onChange(of: observed.refreshCount) {
                    let restored = window.restoredPath()
                    if path != restored { path = restored }
                }
                .onChange(of: dataVersion) { Task { await observed.lookAgain() } }
                .onChange(of: phase) { _, phase in
                    if phase != .active { window.leave(isBackground: phase == .background) }
                }
                .onDisappear { window.place.save(isInteraction: false) }
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
