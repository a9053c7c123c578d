import UIKit

/// A person in an address book. The identifier is the same on every device.
struct Person: Equatable {
    var userID: String
    var firstName: String
    var lastName: String
}

/// The app delegate of the name editor. It recreates the editor, which has no restoration class.
final class NameEditorAppDelegate: UIResponder, UIApplicationDelegate {
    private static let appVersion = 11.0
    /// The people in the address book.
    let people: [Person]

    init(people: [Person]) {
        self.people = people
        super.init()
    }

    override convenience init() { self.init(people: []) }

    func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool {
        coder.encode(Self.appVersion, forKey: "MyAppVersion")
        return true
    }

    func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool {
        coder.decodeDouble(forKey: "MyAppVersion") == Self.appVersion
    }

    func application(
        _ application: UIApplication, viewControllerWithRestorationIdentifierPath identifierComponents: [String],
        coder: NSCoder
    ) -> UIViewController? {
        guard identifierComponents.last == PersonEditorViewController.identifier else { return nil }
        // A person who was deleted is not edited.
        let userID = coder.decodeObject(of: NSString.self, forKey: PersonEditorViewController.Key.userID) as String?
        return people.first { $0.userID == userID }.map { PersonEditorViewController($0) }
    }
}

/// Builds the window of the name editor.
final class NameEditorSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    /// Restores the window.
    var restore: ((UIWindow, UIScene.ConnectionOptions) -> AnyObject)?
    private var restoration: AnyObject?
    private let tabs = UITabBarController()
    private let list: PeopleViewController
    private let stack: UINavigationController
    private let options = SortOptionsViewController(style: .grouped)

    init(_ app: NameEditorAppDelegate) {
        list = PeopleViewController(people: app.people)
        stack = UINavigationController(rootViewController: list)
        super.init()
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        stack.restorationIdentifier = "PeopleStack"
        options.restorationIdentifier = "SortOptions"
        tabs.restorationIdentifier = "Tabs"
        tabs.viewControllers = [stack, options]
        let window = UIWindow(windowScene: scene)
        window.rootViewController = tabs
        window.makeKeyAndVisible()
        self.window = window
        // The line of the restoration.
        restoration = restore?(window, connectionOptions)
    }

    // MARK: - What a person does

    /// Opens the editor of a person from the list.
    func open(_ userID: String) {
        tabs.selectedIndex = 0
        guard let row = list.people.firstIndex(where: { $0.userID == userID }) else { return }
        let indexPath = IndexPath(row: row, section: 0)
        list.tableView.selectRow(at: indexPath, animated: false, scrollPosition: .none)
        list.tableView(list.tableView, didSelectRowAt: indexPath)
    }

    /// Taps the field of the first or the last name, replaces its text, and selects a part of it.
    func type(_ text: String, in field: KeyPath<PersonEditorViewController, UITextField>, selecting range: NSRange) {
        guard let field = editor?[keyPath: field] else { return }
        field.becomeFirstResponder()
        field.text = text
        guard let start = field.position(from: field.beginningOfDocument, offset: range.location),
            let end = field.position(from: start, offset: range.length)
        else { return }
        field.selectedTextRange = field.textRange(from: start, to: end)
    }

    /// Chooses a sort order in the second tab.
    func chooseOption(section: Int, row: Int) {
        tabs.selectedIndex = 1
        options.tableView.selectRow(
            at: IndexPath(row: row, section: section), animated: false, scrollPosition: .none)
    }

    /// Shows the tab with the address book.
    func selectPeople() { tabs.selectedIndex = 0 }

    /// The open editor.
    var editor: PersonEditorViewController? { stack.topViewController as? PersonEditorViewController }

    /// What is on the screen.
    var seen: [String] { Screen(window).lines }
}
