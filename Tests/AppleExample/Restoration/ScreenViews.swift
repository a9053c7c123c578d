import Foundation
import UIKit

/// The views of the screens, made in code. The storyboard and the nibs have the same views.
@MainActor
enum ScreenViews {
    /// The tag by which a screen finds a view, wherever it comes from.
    enum Tag: Int, CaseIterable, Sendable {
        case count = 1
        case add, open, present, answers, table, field, read, state
    }

    static func background() -> UIView {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
        view.backgroundColor = .white
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        return view
    }

    static func label(_ tag: Tag) -> UILabel {
        let label = UILabel(frame: frame(tag))
        label.tag = tag.rawValue
        return label
    }

    static func button(_ tag: Tag) -> UIButton {
        let button = UIButton(type: .system)
        (button.frame, button.tag) = (frame(tag), tag.rawValue)
        button.setTitle("\(tag)".capitalized, for: .normal)
        return button
    }

    static func table() -> UITableView {
        let table = UITableView(frame: frame(.table), style: .plain)
        table.tag = Tag.table.rawValue
        table.restorationIdentifier = "Table"
        table.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        return table
    }

    static func field() -> UITextField {
        let field = UITextField(frame: frame(.field))
        field.tag = Tag.field.rawValue
        field.restorationIdentifier = "Field"
        field.borderStyle = .roundedRect
        return field
    }

    private static func frame(_ tag: Tag) -> CGRect {
        switch tag {
        case .count: CGRect(x: 20, y: 120, width: 280, height: 34)
        case .add: CGRect(x: 20, y: 160, width: 80, height: 34)
        case .open: CGRect(x: 110, y: 160, width: 80, height: 34)
        case .present: CGRect(x: 200, y: 160, width: 80, height: 34)
        case .read: CGRect(x: 20, y: 200, width: 80, height: 34)
        case .state: CGRect(x: 110, y: 200, width: 190, height: 34)
        case .field: CGRect(x: 20, y: 240, width: 280, height: 34)
        case .answers: CGRect(x: 20, y: 280, width: 280, height: 34)
        case .table: CGRect(x: 0, y: 320, width: 390, height: 524)
        }
    }
}
