import PlacekeeperUIKit
import UIKit

/// The app's methods that were called, each once.
@MainActor
final class Calls {
    private(set) var names: [String] = []

    func note(_ name: String) { if !names.contains(name) { names.append(name) } }
}

/// An object that notes which of its methods are called.
@MainActor
protocol Noting: AnyObject {
    var calls: Calls? { get set }
}

// One class for each class of UIKit, because an override can't be shared.

final class OwnController: UIViewController, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
    override func applicationFinishedRestoringState() {
        calls?.note("finish")
        super.applicationFinishedRestoringState()
    }
}

final class OwnTableController: UITableViewController, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
    override func applicationFinishedRestoringState() {
        calls?.note("finish")
        super.applicationFinishedRestoringState()
    }
}

final class OwnPageController: UIPageViewController, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
    override func applicationFinishedRestoringState() {
        calls?.note("finish")
        super.applicationFinishedRestoringState()
    }
}

final class OwnView: UIView, UIStateRestoring, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
    func applicationFinishedRestoringState() { calls?.note("finish") }
}

final class OwnNavigation: UINavigationController, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
    override func applicationFinishedRestoringState() {
        calls?.note("finish")
        super.applicationFinishedRestoringState()
    }
}

final class OwnTabs: UITabBarController, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
    override func applicationFinishedRestoringState() {
        calls?.note("finish")
        super.applicationFinishedRestoringState()
    }
}

final class OwnSplit: UISplitViewController, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
    override func applicationFinishedRestoringState() {
        calls?.note("finish")
        super.applicationFinishedRestoringState()
    }
}

final class OwnScroll: UIScrollView, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
}

final class OwnTable: UITableView, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
}

final class OwnField: UITextField, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
}

final class OwnText: UITextView, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) {
        calls?.note("encode")
        super.encodeRestorableState(with: coder)
    }
    override func decodeRestorableState(with coder: NSCoder) {
        calls?.note("decode")
        super.decodeRestorableState(with: coder)
    }
}

final class SubclassNavigation: UINavigationController, RestorableSubclass, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) { calls?.note("encode") }
    override func decodeRestorableState(with coder: NSCoder) { calls?.note("decode") }
    func encodeSubclassState(with coder: NSCoder) {
        calls?.note("encode subclass")
        coder.encode(7, forKey: "part")
    }
    func decodeSubclassState(with coder: NSCoder) {
        calls?.note("decode subclass \(coder.decodeInteger(forKey: "part"))")
    }
}

final class SubclassTabs: UITabBarController, RestorableSubclass, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) { calls?.note("encode") }
    override func decodeRestorableState(with coder: NSCoder) { calls?.note("decode") }
    func encodeSubclassState(with coder: NSCoder) {
        calls?.note("encode subclass")
        coder.encode(7, forKey: "part")
    }
    func decodeSubclassState(with coder: NSCoder) {
        calls?.note("decode subclass \(coder.decodeInteger(forKey: "part"))")
    }
}

final class SubclassSplit: UISplitViewController, RestorableSubclass, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) { calls?.note("encode") }
    override func decodeRestorableState(with coder: NSCoder) { calls?.note("decode") }
    func encodeSubclassState(with coder: NSCoder) {
        calls?.note("encode subclass")
        coder.encode(7, forKey: "part")
    }
    func decodeSubclassState(with coder: NSCoder) {
        calls?.note("decode subclass \(coder.decodeInteger(forKey: "part"))")
    }
}

final class SubclassScroll: UIScrollView, RestorableSubclass, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) { calls?.note("encode") }
    override func decodeRestorableState(with coder: NSCoder) { calls?.note("decode") }
    func encodeSubclassState(with coder: NSCoder) {
        calls?.note("encode subclass")
        coder.encode(7, forKey: "part")
    }
    func decodeSubclassState(with coder: NSCoder) {
        calls?.note("decode subclass \(coder.decodeInteger(forKey: "part"))")
    }
}

final class SubclassTable: UITableView, RestorableSubclass, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) { calls?.note("encode") }
    override func decodeRestorableState(with coder: NSCoder) { calls?.note("decode") }
    func encodeSubclassState(with coder: NSCoder) {
        calls?.note("encode subclass")
        coder.encode(7, forKey: "part")
    }
    func decodeSubclassState(with coder: NSCoder) {
        calls?.note("decode subclass \(coder.decodeInteger(forKey: "part"))")
    }
}

final class SubclassField: UITextField, RestorableSubclass, Noting {
    var calls: Calls?

    override func encodeRestorableState(with coder: NSCoder) { calls?.note("encode") }
    override func decodeRestorableState(with coder: NSCoder) { calls?.note("decode") }
    func encodeSubclassState(with coder: NSCoder) {
        calls?.note("encode subclass")
        coder.encode(7, forKey: "part")
    }
    func decodeSubclassState(with coder: NSCoder) {
        calls?.note("decode subclass \(coder.decodeInteger(forKey: "part"))")
    }
}
