import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperStandIns
import Testing

/// Plays the processes of a sequence through the public interface of the runtime.
@MainActor
final class CombinationApp: ApplicationLifeCycleDelegate {
    /// Returns the result of each launch.
    static func launches(of sequence: PlayedSequence) throws -> [PlayedLaunch] {
        var storage = InMemoryArchiveStorage()
        var launches: [PlayedLaunch] = []
        for process in sequence.processes {
            let app = CombinationApp(process, storage, of: sequence)
            launches.append(try app.play(isFirst: launches.isEmpty))
            storage = app.storage
        }
        return launches
    }

    private let process: PlayedProcess
    private let sequence: PlayedSequence
    private var storage: InMemoryArchiveStorage
    private let environment = RestorationEnvironment()
    private var application: RestorableApplication!
    private var isSaved = true

    private let tabs = TabBarController().named("Tabs")
    private var stacks: [String: NavigationController] = [:]
    private let unnamed = NavigationController()
    private let hidden = Screen("Hidden")
    private let list = TableView()
    private let switches = TableView()
    private let scroll = ScrollView()
    private let elements: Elements
    private let fixed = Switches([5])
    private let filter = Filter()
    private var mark: Mark?

    private init(_ process: PlayedProcess, _ storage: InMemoryArchiveStorage, of sequence: PlayedSequence) {
        (self.process, self.storage, self.sequence) = (process, storage, sequence)
        elements = Elements([process.rows])
        let device = RestorationContext(
            idiom: process.idiom, bundleVersion: process.version, systemVersion: "17.4",
            layout: process.isCompact ? .compact : .regular)
        var configuration = RestorableApplication.Configuration(device: device) { process.now }
        configuration.isDeveloperMode = process.isDeveloperMode
        configuration.maximumArchiveSize = 64 << 10
        application = RestorableApplication(
            self, environment: environment, storage: storage, configuration: configuration)
        if process.listsClasses {
            environment.add(Page.self)
            environment.add(Sheet.self)
            environment.add(Mark.self)
            Mark.environment = environment
        }
        for name in ["Main", "Extra"] where process.storyboards.contains(name) { environment.add(storyboard(name)) }
    }

    // MARK: - The process

    private func play(isFirst: Bool) throws -> PlayedLaunch {
        storage.isLocked = process.isLocked
        let frozen = storage
        let result = application.launch()
        if process.logsIn {
            if process.presentsLogIn { tabs.dismiss() }
            environment.presentRestored()
        }
        var launch = PlayedLaunch(interface: interface)
        launch.result =
            switch result {
            case .nothingSaved: .nothingSaved
            case .declined: .declined
            case .restored: .restored
            case .incompatible: .incompatible
            case .locked: .locked
            case .crashedBefore: .crashedBefore
            case .placeOnly, .unreadable: throw Unexpected(result: result)
            }
        launch.showsSnapshot = application.appearance.image == .snapshot
        if storage !== frozen {
            launch.hasArchive = storage.archive != nil
            return launch
        }
        if isFirst {
            leave(sequence.left)
            launch.interface = sequence.left
        }
        for ending in process.endings { try end(ending) }
        storage.isLocked = false
        launch.hasArchive = storage.archive != nil
        return launch
    }

    private struct Unexpected: Error { var result: LaunchResult }

    private func end(_ ending: PlayedProcess.Ending) throws {
        let root = stacks["Home"]?.viewControllers.first as? Screen
        isSaved = ending != .declineToSave
        switch ending {
        case .save: try application.saveState()
        case .declineToSave:
            root?.text = "declined"
            #expect(try application.saveState() == nil)
        case .saveTooMuch:
            root?.text = String(repeating: "x", count: 100_000)
            #expect(throws: (any Error).self) { try application.saveState() }
        case .unlock: storage.isLocked = false
        case .completeRestoration: environment.completeStateRestoration()
        case .forceQuit: application.forceQuit()
        }
    }

    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { isSaved }
    func willEncodeRestorableState(with coder: StateEncoder) {
        if sequence.refersToHidden { coder.encode(hidden, forKey: "hidden") }
        coder.encode(mark, forKey: "mark")
        if sequence.ignoresSnapshot { environment.ignoreSnapshotOnNextApplicationLaunch() }
    }
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool {
        let gate = RestorationGate(minimumBundleVersion: process.minimumVersion, maximumAge: process.maximumAge)
        return process.restores && gate.refusal(of: coder, now: process.now) == nil
    }
    func didDecodeRestorableState(with coder: StateDecoder) {
        mark = coder.decodeObject(forKey: "mark")
        if process.extendsRestoration { environment.extendStateRestoration() }
        guard process.crashes else { return }
        // What a process that ends here leaves. The rest of this one changes the other storage.
        let left = InMemoryArchiveStorage(archive: storage.archive)
        try? left.writeAttempts((try? storage.readAttempts()) ?? 0)
        storage = left
    }
    func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        guard path.last == "Delegated", coder.decodeString(forKey: "text") != PlayedInterface.Page.gone else {
            return nil
        }
        return Screen("Delegated")
    }
    func applicationFinishedRestoringState() {
        if process.setsDataSourceLate { list.dataSource = elements }
    }

    // MARK: - The interface

    var roots: [any RestorableViewController] { sequence.left.hidden.isEmpty ? [tabs] : [tabs, unnamed] }

    func loadInterface() {
        let root = Screen("List")
        list.restorationIdentifier = "Rows"
        if !process.setsDataSourceLate { list.dataSource = elements }
        root.views = [list]
        let options = Screen("Options")
        switches.restorationIdentifier = "Switches"
        switches.dataSource = fixed
        scroll.restorationIdentifier = "Scroll"
        options.views = [switches, scroll]
        for (name, root) in [("Home", root), ("Settings", options)] where process.tabs.contains(name) {
            stacks[name] = NavigationController(root: root).named(name)
        }
        for _ in 0..<process.siblings { stacks["Home"]?.push(Screen("List")) }
        tabs.viewControllers = process.tabs.compactMap { stacks[$0] }
        unnamed.viewControllers = [hidden]
        filter.restorationParent = root
        environment.registerObject(filter, restorationIdentifier: "Filter")
        if process.presentsLogIn { tabs.present(Screen(nil, text: "log-in")) }
    }

    private func storyboard(_ name: String) -> Storyboard {
        let storyboard = Storyboard(name: name)
        storyboard.add(identifier: "page") { origin in
            let page = Screen("\(name) page")
            page.storyboardOrigin = origin
            return page
        }
        return storyboard
    }

    /// Changes the interface as the person does.
    private func leave(_ left: PlayedInterface) {
        for (tab, pages) in left.stacks {
            (stacks[tab]?.viewControllers.first as? Screen)?.text = pages[0].text
            for page in pages.dropFirst() { stacks[tab]?.push(make(page)) }
        }
        tabs.selected = stacks[left.selectedTab]
        switch left.sheet {
        case .page(let page): tabs.present(make(page))
        case .stack(let pages):
            let sheet = Sheet().named("Sheet stack")
            sheet.restorationClass = Sheet.self
            sheet.viewControllers = pages.map(make)
            tabs.present(sheet)
        case .activity(let identifier, let draft):
            let sheet = ActivityViewController().named(identifier)
            sheet.draft = draft.map { .init(subject: $0) }
            tabs.present(sheet)
        case .logIn: tabs.present(Screen(nil, text: "log-in"))
        case nil: break
        }
        list.scroll(to: left.offset)
        if !left.selection.isEmpty {
            list.listSelection = left.selection.compactMap { name in
                left.rows.firstIndex(of: name).map { ElementIndexPath(section: 0, item: $0) }
            }
        }
        if left.x != 0 { list.horizontalOffset = left.x }
        switches.listSelection = left.switches.map { ElementIndexPath(section: 0, item: $0) }
        scroll.contentOffset.y = left.scroll
        filter.text = left.filter
        if let text = left.mark {
            mark = Mark()
            mark?.text = text
            if let mark { environment.registerObject(mark, restorationIdentifier: "Mark") }
        }
        hidden.text = left.hidden
    }

    private func make(_ page: PlayedInterface.Page) -> Screen {
        let screen: Screen
        switch page.maker {
        case .launch, .delegate: screen = Screen(page.identifier)
        case .restorationClass: screen = Page(page.identifier)
        case .viewDidLoad: screen = LatePage(page.identifier)
        case .storyboard(let name):
            let made = environment.storyboards[name]?.instantiateViewController(withIdentifier: "page")
            screen = made as? Screen ?? Screen(nil)
        }
        screen.text = page.text
        return screen
    }

    /// What the person sees.
    private var interface: PlayedInterface {
        func page(_ viewController: ViewController) -> PlayedInterface.Page {
            .init(identifier: viewController.restorationIdentifier, text: (viewController as? Screen)?.text ?? "")
        }
        var shown = PlayedInterface()
        shown.tabs = tabs.viewControllers.map { $0.restorationIdentifier ?? "" }
        shown.selectedTab = tabs.selected?.restorationIdentifier ?? ""
        shown.stacks = stacks.mapValues { $0.viewControllers.map(page) }
        shown.sheet =
            switch tabs.presented {
            case let sheet as Sheet: .stack(sheet.viewControllers.map(page))
            case let sheet as ActivityViewController:
                .activity(identifier: sheet.restorationIdentifier, draft: sheet.draft?.subject)
            case let screen as Screen where screen.text == "log-in": .logIn
            case let screen?: .page(page(screen))
            case nil: nil
            }
        shown.rows = process.rows
        shown.selection = list.listSelection.map { process.rows[$0.item] }
        (shown.offset, shown.x) = (list.contentOffset, list.horizontalOffset)
        (shown.switches, shown.scroll) = (switches.listSelection.map(\.item), scroll.contentOffset.y)
        (shown.filter, shown.mark, shown.hidden) = (filter.text, mark?.text, hidden.text)
        return shown
    }
}

extension CombinationApp {
    /// A page that its class makes.
    private class Page: Screen, ViewControllerRestoration {
        init(_ identifier: String?) {
            super.init(identifier)
            restorationClass = Page.self
        }

        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? {
            guard coder.decodeString(forKey: "text") != PlayedInterface.Page.gone else { return nil }
            return path.last == "Late" ? LatePage("Late") : Page(path.last)
        }
    }

    /// A page that sets its identifier when its view is loaded (row 71).
    private final class LatePage: Page {
        private let late: String?

        override init(_ identifier: String?) {
            late = identifier
            super.init(nil)
            restorationClass = nil
        }

        override func viewDidLoad() {
            restorationIdentifier = late
            restorationClass = Page.self
        }
    }

    /// A presented stack that its class makes.
    private final class Sheet: NavigationController, ViewControllerRestoration {
        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? {
            let sheet = Sheet().named(path.last)
            sheet.restorationClass = Sheet.self
            return sheet
        }
    }

    /// An object below a screen, which the app registers at each launch.
    private final class Filter: StateRestoring {
        weak var restorationParent: (any StateRestoring)?
        var text = ""
        func encodeRestorableState(with coder: StateEncoder) { coder.encode(text, forKey: "text") }
        func decodeRestorableState(with coder: StateDecoder) throws {
            text = coder.decodeString(forKey: "text") ?? text
        }
    }

    /// An object that the person created.
    private final class Mark: StateRestoring, ObjectRestoration {
        static weak var environment: RestorationEnvironment?
        var text = ""
        var restorationClass: (any RestorationClass.Type)? { Mark.self }
        func encodeRestorableState(with coder: StateEncoder) { coder.encode(text, forKey: "text") }
        func decodeRestorableState(with coder: StateDecoder) throws {
            text = coder.decodeString(forKey: "text") ?? text
        }
        static func object(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any StateRestoring)? {
            let mark = Mark()
            environment?.registerObject(mark, restorationIdentifier: path.last ?? "")
            return mark
        }
    }
}
