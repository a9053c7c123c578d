#if canImport(SwiftUI)
    public import SwiftUI

    /// Reports that the user is working in the window, for a view that changes the state later.
    ///
    /// ```swift
    /// @Environment(\.noteInteraction) private var noteInteraction
    ///
    /// Library().onOpenURL { url in
    ///     noteInteraction()
    ///     Task { path = await route(of: url) }
    /// }
    /// ```
    /// Call it before the change, or right after. A launch in progress then restores nothing, a restore in progress goes
    /// to no further screen, and the window's place is soon saved as the user's work.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    public struct NoteInteraction: Sendable {
        let window: ObservedPlace?

        /// Reports the user's work. Does nothing outside a view with `keepsPlace`.
        @MainActor
        public func callAsFunction() { window?.place.noteNavigation() }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension EnvironmentValues {
        /// Reports that the user is working, in a view inside `keepsPlace`. Not needed after a touch or a key.
        public var noteInteraction: NoteInteraction { NoteInteraction(window: keptPlace) }
    }
#endif
