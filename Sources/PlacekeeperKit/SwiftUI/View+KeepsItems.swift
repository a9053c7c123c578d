#if canImport(SwiftUI)
    import PlacekeeperArchive
    public import SwiftUI

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension View {
        /// Keeps the selected item of a list. The view must be inside a view with `keepsPlace`. The selection belongs to
        /// the layout: a device with another horizontal size class doesn't restore it.
        /// - Parameters:
        ///   - selection: The id of the selected item.
        ///   - items: The items of the list.
        ///   - key: The name, which must be unique in the window.
        public func keepsSelection<Item: PlaceItem & Identifiable>(
            _ selection: Binding<Item.ID?>, in items: [Item], key: String = "selection"
        ) -> some View where Item.ID: Sendable {
            modifier(KeptItems(ids: selection.asSet(), items: items, role: .selected, key: key))
        }

        /// Keeps the selected items of a list. The view must be inside a view with `keepsPlace`.
        /// - Parameters:
        ///   - selection: The ids of the selected items.
        ///   - items: The items of the list.
        ///   - key: The name, which must be unique in the window.
        public func keepsSelection<Item: PlaceItem & Identifiable>(
            _ selection: Binding<Set<Item.ID>>, in items: [Item], key: String = "selection"
        ) -> some View where Item.ID: Sendable {
            modifier(KeptItems(ids: selection, items: items, role: .selected, key: key))
        }

        /// Keeps the scroll position of a scroll view, by the item at the top, and applies `scrollPosition(id:)`. The
        /// content needs `scrollTargetLayout()`. If the item is gone, a neighbor is scrolled to the top. If the item
        /// hasn't arrived, a neighbor remains at the top until the item arrives or the user scrolls.
        /// - Parameters:
        ///   - id: The id of the item at the top.
        ///   - items: The items in the scroll view.
        ///   - key: The name, which must be unique in the window.
        public func keepsScrollPosition<Item: PlaceItem & Identifiable>(
            _ id: Binding<Item.ID?>, in items: [Item], key: String = "scroll"
        ) -> some View where Item.ID: Sendable {
            // https://developer.apple.com/documentation/swiftui/view/scrollposition(id:anchor:)
            scrollPosition(id: id, anchor: .top)
                .modifier(KeptItems(ids: id.asSet(), items: items, role: .firstVisible, key: key))
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension Binding {
        fileprivate func asSet<ID: Hashable & Sendable>() -> Binding<Set<ID>> where Value == ID? {
            Binding<Set<ID>> {
                Set([wrappedValue].compactMap { $0 })
            } set: {
                wrappedValue = $0.first
            }
        }
    }

    /// Shows the kept items after a restore or when data has arrived, and keeps the items that the user chooses.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    private struct KeptItems<Item: PlaceItem & Identifiable>: ViewModifier where Item.ID: Sendable {
        @Environment(\.keptPlace) private var window
        @State private var shown = ShownItems()
        @State private var stamp: ItemsStamp?
        @Binding private var ids: Set<Item.ID>
        private let items: [Item]
        private let role: ModelReference.Role
        private let key: String

        init(ids: Binding<Set<Item.ID>>, items: [Item], role: ModelReference.Role, key: String) {
            _ids = ids
            (self.items, self.role, self.key) = (items, role, key)
        }

        func body(content: Content) -> some View {
            content
                .onChange(of: window?.refreshCount, initial: true) { show() }
                .onChange(of: items.stamp(after: stamp), initial: true) { _, present in
                    stamp = present
                    show()
                }
                .onChange(of: ids) { _, ids in
                    let chosen = items.filter { ids.contains($0.id) }.map(\.placeID)
                    window?.place.setIdentifiers(chosen, of: items.list, role: role, forKey: key)
                }
        }

        private func show() {
            guard let place = window?.place else { return }
            let present = items.filter { ids.contains($0.id) }.map(\.placeID)
            guard let kept = shown.update(present, forKey: key, in: items.list, place) else { return }
            let names = Set(kept.map(ByteText.init))
            ids = Set(items.filter { names.contains(ByteText($0.placeID)) }.map(\.id))
        }
    }
#endif
