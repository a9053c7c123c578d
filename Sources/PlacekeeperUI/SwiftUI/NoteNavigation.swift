#if canImport(SwiftUI)
    public import SwiftUI

    /// Reports that the user navigated, for a view that goes to the place later: see `KeptPlace.noteNavigation()`.
    ///
    /// ```swift
    /// @Environment(\.noteNavigation) private var noteNavigation
    ///
    /// Library().onOpenURL { url in
    ///     noteNavigation()
    ///     Task { path = await route(of: url) }
    /// }
    /// ```
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    public struct NoteNavigation: Sendable {
        let window: ObservedPlace?

        /// Reports that the user navigated. Does nothing outside a view with `keepsPlace`.
        @MainActor
        public func callAsFunction() { window?.place.noteNavigation() }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension EnvironmentValues {
        /// Reports that the user navigated, in a view inside `keepsPlace`. Not needed when a view changes the path
        /// because the user touched the window.
        public var noteNavigation: NoteNavigation { NoteNavigation(window: keptPlace) }
    }
#endif
