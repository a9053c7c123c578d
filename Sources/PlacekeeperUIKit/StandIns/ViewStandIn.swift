#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// Represents a view with a restoration identifier. Other views are layout.
    @MainActor
    class ViewStandIn: StandIn, RestorableView {
        final var view: UIView? { represented as? UIView }

        final override var restorationIdentifier: String? { view?.restorationIdentifier }
        final override var restorationParent: (any StateRestoring)? { view.flatMap(NamedViews.parent) }
        final var restorableSubviews: [any RestorableView] { view.map { NamedViews.inside($0) } ?? [] }

        override func encodeRestorableState(with coder: StateEncoder) {
            guard let view else { return }
            AppCode.encode(view, with: RestorationCoder(forApp: coder)) { view.encodeRestorableState(with: $0) }
        }
        override func decodeRestorableState(with coder: StateDecoder) throws {
            guard let view else { return }
            try AppCode.decode(view, with: RestorationCoder(forApp: coder)) { view.decodeRestorableState(with: $0) }
        }
        override func applicationFinishedRestoringState() {
            // A view has this method only if the app declares that it conforms to `UIStateRestoring`.
            guard let view = view as? any UIStateRestoring & UIView,
                AppCode.mayCall(.applicationFinishedRestoringState, of: view)
            else { return }
            OptionalMethods.finish(view)
        }
    }

    /// The views with restoration identifiers in a hierarchy of views.
    @MainActor
    enum NamedViews {
        /// Returns the view itself if it has an identifier, or else the first views inside it that have one.
        static func first(from view: UIView) -> [any RestorableView] {
            view.restorationIdentifier == nil ? inside(view) : [StandIns.of(view)]
        }

        /// Returns the views inside a view that have an identifier, up to and without those inside them.
        ///
        /// Leaves out the views of child view controllers, which belong to these; cells, because a table view shows
        /// another row in the same cell later; and a view with the identifier of an earlier one, because it has the
        /// same path.
        static func inside(_ view: UIView) -> [any RestorableView] {
            var found: [any RestorableView] = []
            var identifiers: Set<String> = []
            var waiting: [UIView] = view.subviews.reversed()
            while let next = waiting.popLast() {
                if next.next is UIViewController || next is UITableViewCell || next is UITableViewHeaderFooterView
                    || next is UICollectionReusableView
                {
                    continue
                }
                guard let identifier = next.restorationIdentifier else {
                    waiting += next.subviews.reversed()
                    continue
                }
                if identifiers.insert(identifier).inserted { found.append(StandIns.of(next)) }
            }
            return found
        }

        /// Returns the nearest view above a view that has an identifier, or the view controller whose view is reached
        /// first.
        static func parent(of view: UIView) -> (any StateRestoring)? {
            var next = view
            while true {
                if let controller = next.next as? UIViewController { return StandIns.of(controller) }
                guard let above = next.superview else { return nil }
                if above.restorationIdentifier != nil { return StandIns.of(above) }
                next = above
            }
        }
    }
#endif
