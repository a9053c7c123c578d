#if canImport(SwiftUI)
    public import SwiftUI

    /// Notes that the person navigated, for a view that goes to the place later: see `KeptPlace.noteNavigation()`.
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

        /// Notes that the person navigated. Does nothing outside a view with `keepsPlace`.
        @MainActor
        public func callAsFunction() { window?.place.noteNavigation() }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension EnvironmentValues {
        /// Notes that the person navigated, in a view inside `keepsPlace`. A view that changes the path because the person
        /// touched the window does not need it.
        public var noteNavigation: NoteNavigation { NoteNavigation(window: keptPlace) }
    }
#endif
