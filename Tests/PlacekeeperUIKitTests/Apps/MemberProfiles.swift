import UIKit

/// A member of a club. The identifier is the same on every device.
struct Member: Equatable {
    var identifier: Int
    var name: String
    /// The pictures that the member may choose from.
    var imageIDs: [Int]
}

/// The app delegate of the profile app.
final class ProfilesAppDelegate: UIResponder, UIApplicationDelegate {
    /// The members that this device knows.
    let members: [Member]

    init(members: [Member]) {
        self.members = members
        super.init()
    }

    override convenience init() { self.init(members: []) }

    func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { true }

    func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool { true }
}

/// Builds the window of the profile app.
final class ProfilesSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    /// Restores the window.
    var restore: ((UIWindow, UIScene.ConnectionOptions) -> AnyObject)?
    private var restoration: AnyObject?
    private let list: MemberListViewController
    private let stack: UINavigationController

    init(_ app: ProfilesAppDelegate) {
        list = MemberListViewController(members: app.members)
        stack = UINavigationController(rootViewController: list)
        super.init()
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        stack.restorationIdentifier = "MemberStack"
        let window = UIWindow(windowScene: scene)
        window.rootViewController = stack
        window.makeKeyAndVisible()
        self.window = window
        // The line of the restoration.
        restoration = restore?(window, connectionOptions)
    }

    // MARK: - What a person does

    /// Opens the page of a member from the list.
    func openMember(_ identifier: Int) {
        guard let row = list.members.firstIndex(where: { $0.identifier == identifier }) else { return }
        let indexPath = IndexPath(row: row, section: 0)
        list.tableView.selectRow(at: indexPath, animated: false, scrollPosition: .none)
        list.tableView(list.tableView, didSelectRowAt: indexPath)
    }

    /// Scrolls the list of members, in points from its top.
    func scrollMembers(to offset: Double) {
        list.tableView.setContentOffset(CGPoint(x: 0, y: offset), animated: false)
    }

    /// Chooses the next picture on the open page.
    func chooseImage(_ imageID: Int) { page?.imageID = imageID }

    /// Replaces the text of the name.
    func typeName(_ name: String) { page?.nameField.text = name }

    /// Goes back to the list.
    func goBack() { stack.popViewController(animated: true) }

    /// The open page.
    var page: MemberViewController? { stack.topViewController as? MemberViewController }

    /// What is on the screen.
    var seen: [String] { Screen(window).lines }
}

/// The list of members.
final class MemberListViewController: UITableViewController, UIDataSourceModelAssociation {
    let members: [Member]

    init(members: [Member]) {
        self.members = members
        super.init(style: .plain)
        title = "Members"
        restorationIdentifier = "Members"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.restorationIdentifier = "MemberTable"
        clearsSelectionOnViewWillAppear = false
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { members.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        cell.textLabel?.text = members[indexPath.row].name
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        let page = MemberViewController()
        page.show(members[indexPath.row])
        navigationController?.pushViewController(page, animated: true)
    }

    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? {
        String(members[idx.row].identifier)
    }

    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        members.firstIndex { String($0.identifier) == identifier }.map { IndexPath(row: $0, section: 0) }
    }
}

/// The page of a member. It saves which member, which picture, and the name as typed so far.
final class MemberViewController: UIViewController, UIViewControllerRestoration {
    private enum Key {
        static let profileID = "profileID"
        static let imageID = "imageID"
        static let name = "name"
    }

    /// The member, who is fetched after restoration.
    private(set) var member: Member?
    private var profileID: Int?
    var imageID = 0 {
        didSet { imageLabel.text = "Picture \(imageID)" }
    }
    let nameField = UITextField()
    private let imageLabel = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        restorationIdentifier = "Member"
        restorationClass = MemberViewController.self
        view.addSubview(imageLabel)
        view.addSubview(nameField)
    }

    /// Shows a member, with the stored name and the first picture.
    func show(_ member: Member) {
        self.member = member
        profileID = member.identifier
        title = member.name
        nameField.text = member.name
        imageID = member.imageIDs.first ?? 0
    }

    override func encodeRestorableState(with coder: NSCoder) {
        if let profileID { coder.encode(profileID, forKey: Key.profileID) }
        coder.encode(imageID, forKey: Key.imageID)
        coder.encode(nameField.text, forKey: Key.name)
        super.encodeRestorableState(with: coder)
    }

    override func decodeRestorableState(with coder: NSCoder) {
        if coder.containsValue(forKey: Key.profileID) { profileID = coder.decodeInteger(forKey: Key.profileID) }
        imageID = coder.decodeInteger(forKey: Key.imageID)
        nameField.text = coder.decodeObject(forKey: Key.name) as? String
        super.decodeRestorableState(with: coder)
    }

    override func applicationFinishedRestoringState() {
        let app = UIApplication.shared.delegate as? ProfilesAppDelegate
        member = app?.members.first { $0.identifier == profileID }
        title = member?.name
    }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? {
        MemberViewController()
    }
}
