#if canImport(SwiftUI)
    public import PlacekeeperRuntime
    public import SwiftUI

    /// A view's value that comes back on another device and at the next launch, such as a draft or a filter.
    ///
    /// ```swift
    /// @KeptState("draft") private var draft = ""
    /// ```
    /// The view must be inside a view with `keepsPlace`. Elsewhere, such as in a preview, the value behaves as with
    /// `@State`. A value whose key is on the deny-list, such as `password`, is never saved. The value is a part of the
    /// full state: if only the place may be restored, it has its initial value. To keep a short value in every layout,
    /// such as an unsaved note, make it a part of the place: `@KeptState("draft", inEveryLayout: true)`.
    ///
    /// A view that reads the value is updated: https://developer.apple.com/documentation/swiftui/dynamicproperty. A
    /// value that a control, such as a `TextField`, sets through the binding counts as the user's work.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @MainActor
    @propertyWrapper
    public struct KeptState<Value: StateConvertible & Sendable>: DynamicProperty {
        @Environment(\.keptPlace) private var window
        @State private var local: Value
        private let key: String
        private let inEveryLayout: Bool

        /// Creates a kept value.
        /// - Parameters:
        ///   - wrappedValue: The initial value.
        ///   - key: The value's name, which must be unique in the window.
        ///   - inEveryLayout: Whether the value belongs to every layout, within the limits of the place: see
        ///     `KeptPlace.setValue(_:forKey:inEveryLayout:)`.
        public init(wrappedValue: Value, _ key: String, inEveryLayout: Bool = false) {
            _local = State(initialValue: wrappedValue)
            self.key = key
            self.inEveryLayout = inEveryLayout
        }

        /// The value.
        public var wrappedValue: Value {
            get { window?.value(forKey: key) ?? local }
            nonmutating set { set(newValue, isInteraction: nil) }
        }

        private func set(_ value: Value, isInteraction: Bool?) {
            guard let window else { return local = value }
            window.setValue(value, forKey: key, inEveryLayout: inEveryLayout, isInteraction: isInteraction)
        }

        /// A binding to the value.
        public var projectedValue: Binding<Value> {
            Binding {
                @MainActor in
                wrappedValue
            } set: {
                @MainActor in
                set($0, isInteraction: true)
            }
        }
    }
#endif
