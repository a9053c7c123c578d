#if canImport(SwiftUI)
    import Foundation
    import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    /// Advertises a window's place while its scene is active, and continues places of other devices.
    /// - <https://developer.apple.com/documentation/swiftui/view/oncontinueuseractivity(_:perform:)>
    /// - <https://developer.apple.com/documentation/swiftui/scenephase>
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    struct ContinuedActivities: ViewModifier {
        @Environment(\.scenePhase) private var phase
        let place: KeptPlace
        /// The type of the activities. Nil for a window without Handoff.
        let type: String?

        init(place: KeptPlace, type: String?) {
            self.place = place
            self.type = type
        }

        func body(content: Content) -> some View {
            if let type {
                content
                    .onContinueUserActivity(type) { activity in
                        guard let activity = PlaceActivity(userInfo: activity.userInfo) else { return }
                        Task { await place.continue(activity) }
                    }
                    // A view that comes back, such as a tab, appears again.
                    .onAppear { place.advertiser(ofType: type).isActive = phase == .active }
                    .onChange(of: phase) { _, phase in
                        place.advertiser(ofType: type).isActive = phase == .active
                    }
                    .onDisappear { place.advertiser?.isActive = false }
            } else {
                content
            }
        }
    }
#endif
