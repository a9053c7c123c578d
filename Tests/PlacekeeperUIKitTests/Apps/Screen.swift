import UIKit

/// What a person sees in a window, read from UIKit's objects.
@MainActor
struct Screen {
    private var found: [String] = []

    init(_ window: UIWindow?) {
        window?.layoutIfNeeded()
        if let root = window?.rootViewController { add(root) }
    }

    /// The selected tab, the stack, the visible screen with its views, and what is presented over it.
    var lines: [String] { found }

    private mutating func add(_ controller: UIViewController) {
        switch controller {
        case let tabs as UITabBarController:
            found.append("tab \(tabs.selectedIndex)")
            if let selected = tabs.selectedViewController { add(selected) }
        case let stack as UINavigationController:
            found.append("stack " + stack.viewControllers.map { $0.title ?? "" }.joined(separator: " / "))
            if stack.isNavigationBarHidden { found.append("bars hidden") }
            if stack.topViewController?.hidesBottomBarWhenPushed == true { found.append("bottom bar hidden") }
            if let top = stack.topViewController { add(top) }
        default:
            if let title = controller.title { found.append("screen " + title) }
            if let view = controller.viewIfLoaded { add(view) }
        }
        guard let sheet = controller.presentedViewController, sheet.presentingViewController === controller else {
            return
        }
        found.append("presented")
        add(sheet)
    }

    private mutating func add(_ view: UIView) {
        guard !view.isHidden else { return }
        if view.transform != .identity { found.append("transform \(view.transform.a) \(view.transform.tx)") }
        switch view {
        case let table as UITableView: add(table)
        case let grid as UICollectionView: add(grid)
        case let field as UITextField: add("field", field.text, field.isFirstResponder, field.selection)
        case let text as UITextView: add("text", text.text, text.isFirstResponder, text.selectedRange)
        case let label as UILabel: found.append("label \(label.text ?? "")")
        case let image as UIImageView: found.append("image \(image.image?.pngData()?.count ?? 0) bytes")
        case let control as UISwitch: found.append("switch \(control.isOn ? "on" : "off")")
        case let slider as UISlider: found.append("slider \(slider.value)")
        case let choice as UISegmentedControl: found.append("segment \(choice.selectedSegmentIndex)")
        case let scroll as UIScrollView:
            let offset = scroll.contentOffset
            found.append("zoom \(scroll.zoomScale), at \(offset.x) \(offset.y)")
            scroll.subviews.forEach { add($0) }
        default: view.subviews.forEach { add($0) }
        }
    }

    private mutating func add(_ kind: String, _ text: String?, _ isActive: Bool, _ selection: NSRange?) {
        var line = "\(kind) \(text ?? "")"
        if isActive, let selection { line += ", editing \(selection.location) \(selection.length)" }
        found.append(line)
    }

    private mutating func add(_ table: UITableView) {
        let top = table.indexPathsForVisibleRows?.first
        if let top, let text = Self.text(of: table.cellForRow(at: top)) {
            let distance = table.rectForRow(at: top).origin.y - table.contentOffset.y
            found.append("top row \(text) at \(distance)")
        }
        for indexPath in (table.indexPathsForSelectedRows ?? []).sorted() {
            found.append("selected row " + (Self.text(of: table.cell(at: indexPath)) ?? ""))
        }
        for indexPath in table.indexPathsForVisibleRows ?? [] {
            guard let detail = table.cellForRow(at: indexPath)?.detailTextLabel?.text else { continue }
            found.append("detail " + detail)
        }
    }

    private mutating func add(_ grid: UICollectionView) {
        if let top = grid.indexPathsForVisibleItems.min(), let frame = grid.layoutAttributesForItem(at: top)?.frame,
            let text = Self.text(of: grid.cell(at: top))
        {
            let (x, y) = (frame.origin.x - grid.contentOffset.x, frame.origin.y - grid.contentOffset.y)
            found.append("top item \(text) at \(x) \(y)")
        }
        for indexPath in (grid.indexPathsForSelectedItems ?? []).sorted() {
            found.append("selected item " + (Self.text(of: grid.cell(at: indexPath)) ?? ""))
        }
    }

    private static func text(of cell: UITableViewCell?) -> String? { cell?.textLabel?.text }

    private static func text(of cell: UICollectionViewCell?) -> String? {
        cell?.contentView.subviews.lazy.compactMap { ($0 as? UILabel)?.text }.first
    }
}

extension UITableView {
    /// The cell of a row, also of one that is not visible.
    fileprivate func cell(at indexPath: IndexPath) -> UITableViewCell? {
        cellForRow(at: indexPath) ?? dataSource?.tableView(self, cellForRowAt: indexPath)
    }
}

extension UICollectionView {
    /// The cell of an item, also of one that is not visible.
    fileprivate func cell(at indexPath: IndexPath) -> UICollectionViewCell? {
        cellForItem(at: indexPath) ?? dataSource?.collectionView(self, cellForItemAt: indexPath)
    }
}

extension UITextField {
    /// The selected range, in UTF-16 code units.
    fileprivate var selection: NSRange? {
        guard let range = selectedTextRange else { return nil }
        let start = offset(from: beginningOfDocument, to: range.start)
        return NSRange(location: start, length: offset(from: range.start, to: range.end))
    }
}
