import Foundation
import UIKit

/// A screen with a text field.
final class TextScreen: CounterScreen {
    private var field: UITextField? { subview(.field) as? UITextField }

    override func madeView() -> UIView {
        let view = super.madeView()
        view.addSubview(ScreenViews.button(.read))
        view.addSubview(ScreenViews.label(.state))
        view.addSubview(ScreenViews.field())
        return view
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        act(on: .read) { ($0 as? TextScreen)?.showState() }
    }

    /// Selects a part of the text.
    override func open() {
        guard let field, let start = field.position(from: field.beginningOfDocument, offset: 2),
            let end = field.position(from: field.beginningOfDocument, offset: 5)
        else { return }
        field.selectedTextRange = field.textRange(from: start, to: end)
    }

    private func showState() {
        guard let field else { return }
        let selection = field.selectedTextRange.map { range in
            let start = field.offset(from: field.beginningOfDocument, to: range.start)
            return "\(start) to \(field.offset(from: field.beginningOfDocument, to: range.end))"
        }
        let state = field.isFirstResponder ? "editing" : "not editing"
        (subview(.state) as? UILabel)?.text = "\(state), selected \(selection ?? "nothing")"
    }
}
