import Foundation
import PlacekeeperRuntime
import UIKit

/// A screen with a counter, and with buttons that open another screen. Its view comes from the storyboard, from a nib
/// or from code, and has the same tags each time.
class CounterScreen: UIViewController, UIViewControllerRestoration {
    private var count = 0 { didSet { showCount() } }
    /// The screen's name, with which the accessibility identifiers of its views begin.
    private var name: String { restorationIdentifier ?? "" }

    override func loadView() {
        if Case.current.origin == .code { view = madeView() } else { super.loadView() }
    }

    /// Makes the view in code.
    func madeView() -> UIView {
        let view = ScreenViews.background()
        for tag in [ScreenViews.Tag.count, .answers] { view.addSubview(ScreenViews.label(tag)) }
        for tag in [ScreenViews.Tag.add, .open, .present] { view.addSubview(ScreenViews.button(tag)) }
        return view
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        for tag in ScreenViews.Tag.allCases { subview(tag)?.accessibilityIdentifier = "\(name).\(tag)" }
        act(on: .add) { $0.count += 1 }
        act(on: .open) { $0.open() }
        act(on: .present) { $0.present(Interface.laterScreen("Note"), animated: false) }
        showCount()
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        showAnswers()
    }

    /// Shows the other screen in the container.
    func open() {
        if let pages = parent as? UIPageViewController {
            pages.setViewControllers([Interface.laterScreen("Second")], direction: .forward, animated: false)
        } else if let split = splitViewController {
            split.show(.secondary)
        } else {
            navigationController?.pushViewController(Interface.laterScreen("Second"), animated: false)
        }
    }

    func subview(_ tag: ScreenViews.Tag) -> UIView? { view.viewWithTag(tag.rawValue) }

    func act(on tag: ScreenViews.Tag, _ action: @escaping @MainActor (CounterScreen) -> Void) {
        let answer = UIAction { [weak self] _ in
            guard let self else { return }
            action(self)
            showAnswers()
        }
        (subview(tag) as? UIButton)?.addAction(answer, for: .touchUpInside)
    }

    private func showCount() {
        if isViewLoaded { (subview(.count) as? UILabel)?.text = "\(count)" }
    }
    private func showAnswers() { (subview(.answers) as? UILabel)?.text = Answers.text }

    // MARK: State restoration

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? {
        identifierComponents.last.map { Interface.laterScreen($0) }
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        Answers.count(coder is RestorationCoder ? "encodes" : "encodesOfUIKit")
        coder.encode(count, forKey: "count")
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        Answers.count(coder is RestorationCoder ? "decodes" : "decodesOfUIKit")
        // For the process, the same as a crash. The tests would report a crash as a failure of their own.
        if Case.current.endsWhileRestoring { exit(1) }
        count = coder.decodeInteger(forKey: "count")
    }
}
