#if canImport(SwiftUI)
    import PlacekeeperArchive
    public import PlacekeeperRuntime
    public import SwiftUI

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension View {
        /// Keeps the selected item of a list. The view must be inside a view with `keepsPlace`.
        /// - Parameters:
        ///   - selection: The id of the selected item: a string, a number, a UUID or a URL.
        ///   - list: The list, whose model identifiers are the ids as text (`ModelIdentifier`).
        ///   - key: The name, which must be unique in the window.
        public func keepsSelection<ID: StateConvertible & Hashable & Sendable>(
            _ selection: Binding<ID?>, of list: any ModelAssociation, key: String = "selection"
        ) -> some View {
            let ids = Binding {
                [selection.wrappedValue].compactMap { $0 }
            } set: {
                selection.wrappedValue = $0.first
            }
            return modifier(KeptItems(ids: ids, list: list, role: .selected, key: key))
        }

        /// Keeps the selected items of a list. The view must be inside a view with `keepsPlace`.
        public func keepsSelection<ID: StateConvertible & Hashable & Sendable>(
            _ selection: Binding<Set<ID>>, of list: any ModelAssociation, key: String = "selection"
        ) -> some View {
            let ids = Binding {
                // The order of a set differs between processes.
                selection.wrappedValue.sorted {
                    (ModelIdentifier.text(of: $0) ?? "") < (ModelIdentifier.text(of: $1) ?? "")
                }
            } set: {
                selection.wrappedValue = Set($0)
            }
            return modifier(KeptItems(ids: ids, list: list, role: .selected, key: key))
        }

        /// Keeps the scroll position of a scroll view, by the item at the top, and applies `scrollPosition(id:)`. The
        /// content needs `scrollTargetLayout()`. If the item is gone, a neighbor is scrolled to the top. If the item
        /// hasn't arrived, a neighbor remains at the top until the item arrives or the user scrolls.
        public func keepsScrollPosition<ID: StateConvertible & Hashable & Sendable>(
            _ id: Binding<ID?>, of list: any ModelAssociation, key: String = "scroll"
        ) -> some View {
            let ids = Binding {
                [id.wrappedValue].compactMap { $0 }
            } set: {
                id.wrappedValue = $0.first
            }
            // https://developer.apple.com/documentation/swiftui/view/scrollposition(id:anchor:)
            return scrollPosition(id: id, anchor: .top)
                .modifier(KeptItems(ids: ids, list: list, role: .firstVisible, key: key))
        }
    }

    /// Shows the kept items after a restore or when data has arrived, and keeps the items that the user chooses.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    private struct KeptItems<ID: StateConvertible & Hashable & Sendable>: ViewModifier {
        @Environment(\.keptPlace) private var window
        @State private var shown = ShownItems()
        @Binding private var ids: [ID]
        private let list: any ModelAssociation
        private let role: ModelReference.Role
        private let key: String

        init(ids: Binding<[ID]>, list: any ModelAssociation, role: ModelReference.Role, key: String) {
            _ids = ids
            self.list = list
            self.role = role
            self.key = key
        }

        func body(content: Content) -> some View {
            content
                .onChange(of: window?.refreshCount, initial: true) {
                    guard let place = window?.place else { return }
                    if let kept = shown.update(ids, forKey: key, in: list, place) { ids = kept }
                }
                .onChange(of: ids) { _, ids in
                    window?.place.setIDs(ids, of: list, role: role, forKey: key)
                }
        }
    }
#endif
