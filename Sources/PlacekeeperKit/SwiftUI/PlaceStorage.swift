#if canImport(SwiftUI)
    public import SwiftUI

    /// A view's value that comes back at the next launch and on the user's other devices, such as a draft or a filter.
    ///
    /// ```swift
    /// @PlaceStorage("filter") private var filter = ""
    /// ```
    /// The view must be inside a view with `keepsPlace`, and not be the view that has the modifier. Elsewhere, such as in a preview, the value behaves as with
    /// `@State`. A value whose key names a secret, such as `password`, is never saved. A window
    /// has room for 128 KiB; beyond that, the values that changed last travel, and the others belong to this layout.
    ///
    /// A view that reads the value is updated: https://developer.apple.com/documentation/swiftui/dynamicproperty. A
    /// value that a control, such as a `TextField`, sets through the binding counts as the user's work.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @MainActor
    @propertyWrapper
    public struct PlaceStorage<Value: Codable>: DynamicProperty {
        @Environment(\.keptPlace) private var window
        @State private var local: Value
        private let key: String

        /// Creates a stored value.
        /// - Parameters:
        ///   - wrappedValue: The initial value.
        ///   - key: The value's name, which must be unique in the window.
        public init(wrappedValue: Value, _ key: String) {
            _local = State(initialValue: wrappedValue)
            self.key = key
        }

        /// Creates a stored value that is nil at first.
        /// - Parameter key: The value's name, which must be unique in the window.
        public init(_ key: String) where Value: ExpressibleByNilLiteral { self.init(wrappedValue: nil, key) }

        /// Creates a stored value of an item, such as the draft of a note about a book.
        ///
        /// ```swift
        /// @PlaceStorage private var draft: String
        ///
        /// init(book: Book) { _draft = PlaceStorage(wrappedValue: "", "draft", of: book) }
        /// ```
        /// - Parameters:
        ///   - wrappedValue: The initial value.
        ///   - key: The value's name, which must be unique in the window among the values of the item.
        ///   - item: The item. On another device, it is recognized by its first unique alias, or by its identifier if it has
        ///     none.
        public init(wrappedValue: Value, _ key: String, of item: some PlaceItem) {
            self.init(wrappedValue: wrappedValue, item.storageKey(key))
        }

        /// The value.
        public var wrappedValue: Value {
            get { window?.value(forKey: key) ?? local }
            nonmutating set { set(newValue, isInteraction: nil) }
        }

        private func set(_ value: Value, isInteraction: Bool?) {
            guard let window else { return local = value }
            window.setValue(value, forKey: key, isInteraction: isInteraction)
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
