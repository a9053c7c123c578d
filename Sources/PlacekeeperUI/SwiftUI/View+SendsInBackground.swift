#if canImport(SwiftUI)
    public import PlacekeeperClient
    public import SwiftUI

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    extension View {
        /// Sends everything that is pending when the app goes to the background. Use it once per app, on its first
        /// view.
        public func sendsInBackground(_ placekeeper: Placekeeper) -> some View {
            modifier(BackgroundSending(placekeeper: placekeeper))
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    private struct BackgroundSending: ViewModifier {
        // https://developer.apple.com/documentation/swiftui/scenephase
        @Environment(\.scenePhase) private var phase
        let placekeeper: Placekeeper

        init(placekeeper: Placekeeper) { self.placekeeper = placekeeper }

        func body(content: Content) -> some View {
            content.onChange(of: phase) { _, phase in
                guard phase == .background else { return }
                #if canImport(UIKit) && !os(watchOS)
                    placekeeper.flushInBackground()
                #else
                    Task { try? await placekeeper.flush() }
                #endif
            }
        }
    }
#endif
