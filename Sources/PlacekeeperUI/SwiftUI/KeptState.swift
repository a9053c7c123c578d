#if canImport(SwiftUI)
    public import PlacekeeperRuntime
    public import SwiftUI

    /// A value of a view that comes back on another device and at the next launch, such as a draft or a filter.
    ///
    /// ```swift
    /// @KeptState("draft") private var draft = ""
    /// ```
    /// The view is inside a view with `keepsPlace`. Elsewhere, such as in a preview, the value is as with `@State`. A
    /// value whose key is on the deny-list, such as `password`, is never saved. The value is a part of the full state: if
    /// only the place may be restored, it has its initial value.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @MainActor
    @propertyWrapper
    public struct KeptState<Value: StateConvertible & Sendable>: DynamicProperty {
        @Environment(\.keptPlace) private var window
        @State private var local: Value
        private let key: String

        /// Creates a kept value.
        /// - Parameters:
        ///   - wrappedValue: The value while none is kept.
        ///   - key: The value's name, which is unique in the window.
        public init(wrappedValue: Value, _ key: String) {
            _local = State(initialValue: wrappedValue)
            self.key = key
        }

        /// The value.
        public var wrappedValue: Value {
            get { window?.value(forKey: key) ?? local }
            nonmutating set {
                guard let window else { return local = newValue }
                window.setValue(newValue, forKey: key)
            }
        }

        /// A binding to the value.
        public var projectedValue: Binding<Value> {
            Binding {
                @MainActor in
                wrappedValue
            } set: {
                @MainActor in
                wrappedValue = $0
            }
        }
    }
#endif
