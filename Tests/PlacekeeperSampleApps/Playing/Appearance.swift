import PlacekeeperStandIns
import PlacekeeperRuntime

/// A description of an app's screens in words.
package struct Appearance: Hashable {
    /// The visible screens, from the back to the front.
    package var visible: [String]
    /// All screens, including hidden ones.
    package var all: [String]
    /// The visible screens of the open item.
    package var screensOfItem: [String]

    @MainActor
    package init(_ shell: Shell) {
        visible = shell.visible.map(Self.of)
        all = shell.screens.map(Self.of)
        screensOfItem = shell.visible.filter { !($0 is ListScreen) }.map(Self.of)
    }

    @MainActor
    private static func of(_ screen: ViewController) -> String {
        let title = screen.title ?? ""
        switch screen {
        case let screen as ListScreen: return list(screen)
        case let screen as PhotoScreen:
            return "\(screen.image) ×\(screen.zoom)\(screen.hidesBars ? " without bars" : "")"
        case let screen as FilterInspector:
            guard let filter = screen.filter else { return "an inspector of nothing" }
            return "inspector: \(filter.name) \(filter.amount) \(filter.isEnabled ? "on" : "off")"
        case let screen as ComparisonScreen:
            let amounts = [screen.left, screen.right].map { $0.filter.map { "\($0.amount)" } ?? "none" }
            return "\(title) \(amounts.joined(separator: " | "))"
        case let screen as HelpPage:
            return "help: \(screen.pageFileName)\(screen.hidesBottomBarWhenPushed ? "" : " above a bar")"
        case let screen as EditorScreen:
            let fields = [screen.firstName, screen.lastName].map { $0.text + ($0.isFirstResponder ? "|" : "") }
            return "\(title): \(fields.joined(separator: ", "))"
        case let screen as SettingsScreen: return "\(title) \(screen.list.listSelection)"
        case let screen as ProfilePage:
            return "\(screen.profile?.title ?? "nobody"): image \(screen.imageID), \(screen.name)"
        case let screen as TextScreen: return "\(title) \(screen.view.selectedRange)"
        default: return title
        }
    }

    @MainActor
    private static func list(_ screen: ListScreen) -> String {
        func title(_ place: ElementIndexPath) -> String { screen.items.items[place.item].title }
        var parts = [screen.title ?? ""]
        if let top = screen.list.listAnchor { parts.append("from \(title(top.indexPath)) + \(top.offset)") }
        if !screen.list.listSelection.isEmpty {
            parts.append("selected: \(screen.list.listSelection.map(title).joined(separator: " "))")
        }
        if let notes = (screen as? ProgressScreen)?.runsWithShownNotes, !notes.isEmpty {
            parts.append("notes: \(notes.compactMap { screen.items[$0]?.title }.sorted().joined(separator: " "))")
        }
        return parts.joined(separator: ", ")
    }
}
