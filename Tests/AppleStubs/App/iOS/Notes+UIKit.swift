import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperUI
import PlacekeeperRuntime
import UIKit

/// The UIKit app of docs/your-app.md.
@MainActor
final class NotesNavigator: PlaceNavigator {
    let stack: UINavigationController
    let notes: any ModelAssociation

    init(_ stack: UINavigationController, _ notes: any ModelAssociation) {
        self.stack = stack
        self.notes = notes
    }

    var placeSteps: [RouteStep] {
        stack.viewControllers.map { screen in
            guard let note = screen as? NoteViewController else { return RouteStep("notes", title: "Notes") }
            return RouteStep("note", title: note.name, elements: [note.note.reference].compactMap { $0 })
        }
    }

    func goToFirstScreen() { stack.popToRootViewController(animated: false) }

    func go(to step: PlaceStep) async -> Bool {
        if step.screen == "notes" { return true }
        guard step.screen == "note", let reference = step.elements.first,
            let note = ShownElement(reference, of: notes), note.identifier != nil
        else { return false }
        stack.pushViewController(NoteViewController(note), animated: false)
        return true
    }
}

@MainActor
final class NoteViewController: UIViewController {
    let note: ShownElement
    var name: String? { nil }
    init(_ note: ShownElement) {
        self.note = note
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) is not used") }
}

@MainActor
final class NotesSceneDelegate: NSObject, UIWindowSceneDelegate {
    static var placekeeper: Placekeeper?
    var window: UIWindow?
    var place: KeptPlace?
    var navigator: NotesNavigator?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene,
            let kept = Self.placekeeper?.scene(of: session)
        else { return }
        let stack = UINavigationController()
        let screen = NotesViewController()
        stack.setViewControllers([screen], animated: false)
        window = UIWindow(windowScene: scene)
        window?.rootViewController = stack
        window?.makeKeyAndVisible()
        let notes = AssociatedList("notes", screen.source, in: screen.table, aliases: { ["server:" + $0] })
        let navigator = NotesNavigator(stack, notes)
        let place = KeptPlace(kept, navigator: navigator)
        place.device = RestorationContext(scene.traitCollection)
        place.attach(to: scene, connectionOptions, activityType: "com.example.reading")
        (self.navigator, self.place) = (navigator, place)
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        place?.activity(ofType: "com.example.reading")
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        Task { await place?.continue(userActivity) }
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        place?.save(isInteraction: false)
        Self.placekeeper?.flushInBackground()
    }

    func objects(of root: UIViewController) -> [RestorableObject] { InterfaceNode(reading: root).objects() }
}

/// The first screen. It keeps the table and its data source, because the list keeps neither.
@MainActor
final class NotesViewController: UIViewController {
    let table = UITableView()
    let source = NotesSource()
}

@MainActor
final class NotesSource: NSObject, UIDataSourceModelAssociation {
    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? { nil }
    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? { nil }
}
