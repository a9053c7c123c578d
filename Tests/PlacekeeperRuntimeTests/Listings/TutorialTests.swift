import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests the listings of the tutorials: S3's profile and S4's running app.
@MainActor
struct TutorialTests {
    // MARK: - S3

    private func profiles(_ delegate: ProfileAppDelegate, _ pushed: ProfileViewController? = nil) -> TestApp {
        let navigation = NavigationController(root: Screen("RootViewController")).named("NavigationController")
        if let pushed { navigation.push(pushed) }
        let app = TestApp(navigation)
        app.environment.delegate = delegate
        app.environment.add(ProfileViewController.self)
        return app
    }

    private func top(_ app: TestApp) throws -> ProfileViewController {
        try #require((app.roots.first as? NavigationController)?.top as? ProfileViewController)
    }

    private func profile() -> ProfileViewController {
        let vc = ProfileViewController()
        vc.profileID = 5
        vc.profileImageView.image = Image(data: NSData(data: Data([1, 2, 3])))
        vc.nameTextField.text = "Grace"
        return vc
    }

    @Test("seed 30 · the profile comes back although super is called last", .tags(.seed))
    func restoresProfileWithSuperCalledLast() throws {
        let delegate = ProfileAppDelegate()
        let next = profiles(delegate)
        try next.restore(profiles(delegate, profile()).save())
        let restored = try top(next)
        #expect(restored.profileID == 5)
        #expect(restored.profileImageView.image.map(pngRepresentation) == NSData(data: Data([1, 2, 3])))
        #expect(restored.nameTextField.text == "Grace")
        #expect(restored.myProfile == Profile(id: 5))
    }

    @Test(
        "seed 71 · an identifier that viewDidLoad sets is there before saving, and again after restoring", .tags(.seed))
    func savesProfileNamedInViewDidLoadAgain() throws {
        let delegate = ProfileAppDelegate()
        let vc = profile()
        #expect(vc.restorationIdentifier == nil)
        var archive = try #require(try profiles(delegate, vc).save())
        let path = "NavigationController/ProfileViewController"
        #expect(
            archive.objects.map(\.path) == ["NavigationController", "NavigationController/RootViewController", path])
        #expect(archive.objects[2].restorationClass?.hasSuffix("ProfileViewController") == true)
        for name in ["Ada", "Edsger"] {
            let next = profiles(delegate)
            let restoration = try next.restore(archive)
            #expect(restoration.restored.contains(path))
            #expect(try next.save()?.objects == archive.objects)
            try top(next).nameTextField.text = name
            archive = try #require(try next.save())
        }
        let last = profiles(delegate)
        try last.restore(archive)
        #expect(try top(last).nameTextField.text == "Edsger")
        #expect(try top(last).profileID == 5)
    }

    // MARK: - S4

    /// Launches the running app in a new process.
    private func launch(
        _ storage: InMemoryArchiveStorage, rows: [[String]]? = nil, bundleVersion: String = "3",
        idiom: UserInterfaceIdiom = .phone
    ) -> (delegate: RunningAppDelegate, life: RestorableApplication, result: LaunchResult) {
        let delegate = RunningAppDelegate()
        if let rows { delegate.runData.dataRows = rows }
        let life = RestorableApplication(
            delegate, environment: RestorationEnvironment(restorationClasses: [HelpViewController.self]),
            storage: storage,
            configuration: .init(device: .init(idiom: idiom, bundleVersion: bundleVersion)) { 800_000_000 })
        return (delegate, life, life.launch())
    }

    private func stack(_ delegate: RunningAppDelegate, _ tab: Int) -> NavigationController? {
        delegate.tabBarController.viewControllers[tab] as? NavigationController
    }

    private func about(_ delegate: RunningAppDelegate) throws -> AboutViewController {
        try #require(stack(delegate, 3)?.viewControllers.first as? AboutViewController)
    }

    @Test("seed 70 · the selection comes back if indexPathForElement reloads its own table", .tags(.seed))
    func restoresSelectionOfReloadingTable() throws {
        let storage = InMemoryArchiveStorage()
        let (delegate, life, _) = launch(storage)
        delegate.tabBarController.selected = delegate.tabBarController.viewControllers[3]
        let avc = try about(delegate)
        avc.loadViewIfNeeded()
        avc.tableView.select(.init(section: 0, item: 4), .init(section: 1, item: 7), .init(section: 2, item: 19))
        avc.tableView.scroll(to: 44 * 22 + 9)
        try life.saveState()

        // The rows moved, a section was inserted, and "row 0.4" was removed.
        var rows = avc.dataRows.map { Array($0.reversed()) }
        rows[0].removeAll { $0 == "row 0.4" }
        let next = launch(storage, rows: [["new"]] + rows)
        let table = try about(next.delegate).tableView
        #expect(next.delegate.tabBarController.selected === next.delegate.tabBarController.viewControllers[3])
        #expect(table.listSelection == [.init(section: 2, item: 12), .init(section: 3, item: 0)])
        // "row 1.2" was at the top.
        let top = ListAnchor(indexPath: .init(section: 2, item: 17), offset: 9)
        #expect(table.listAnchor == top)
        // A later reload changes neither the selection nor the scroll position.
        table.reloadData()
        #expect(table.listSelection == [.init(section: 2, item: 12), .init(section: 3, item: 0)])
        #expect(table.listAnchor == top)
        #expect(try about(next.delegate).timesAsked < 500)
        #expect(next.delegate.isKeyAndVisible)
    }

    @Test("seed 70 · a table that reloads keeps its visible rows when the first row is gone", .tags(.seed))
    func keepsVisibleRowsOfReloadingTable() throws {
        let storage = InMemoryArchiveStorage()
        let (delegate, life, _) = launch(storage)
        let avc = try about(delegate)
        avc.loadViewIfNeeded()
        avc.tableView.scroll(to: 44 * 22 + 9)
        try life.saveState()
        var rows = avc.dataRows
        rows[1].removeAll { $0 == "row 1.2" }
        let table = try about(launch(storage, rows: rows).delegate).tableView
        // "row 1.3" was 35 points below the top, and is again at this distance.
        #expect(table.contentOffset == 44 * 22 - 35)
    }

    @Test("seed 71 · the identifiers of tables that viewDidLoad sets are there before saving", .tags(.seed))
    func savesTablesNamedWhileLoading() throws {
        let storage = InMemoryArchiveStorage()
        let archive = try #require(try launch(storage).life.saveState())
        let paths = [
            "MainTBC", "MainTBC/OverviewNC", "MainTBC/ProgressNC", "MainTBC/ProgressNC/ProgressVC",
            "MainTBC/ProgressNC/ProgressVC/ProgressVC", "MainTBC/MusicNC", "MainTBC/AboutNC",
            "MainTBC/AboutNC/AboutVC", "MainTBC/AboutNC/AboutVC/AboutVC", "MainTBC/SettingsNC",
            "MainTBC/SettingsNC/SettingsVC", "MainTBC/SettingsNC/SettingsVC/SettingsVC",
        ]
        #expect(archive.objects.map(\.path) == paths)
        #expect(try launch(storage).life.saveState()?.objects.map(\.path) == paths)
    }

    @Test("seed 71 · the help page gets its identifiers again, and its file name from the factory", .tags(.seed))
    func restoresHelpPageFromItsFactory() throws {
        let storage = InMemoryArchiveStorage()
        let (delegate, life, _) = launch(storage)
        delegate.tabBarController.selected = delegate.tabBarController.viewControllers[3]
        let avc = try about(delegate)
        let row = ElementIndexPath(
            section: AboutViewController.kFlipTipsSection, item: AboutViewController.kFlipTipsSectionHealthRow)
        avc.tableView.select(row)
        avc.tableView(avc.tableView, didSelectRowAt: row)
        try life.saveState()
        // Saves the restored state once more.
        try launch(storage).life.saveState()
        let next = launch(storage).delegate
        let restored = try #require(stack(next, 3)?.top as? HelpViewController)
        #expect(restored !== avc.helpController)
        #expect(restored.pageFileName == "health")
        #expect(restored.hidesBottomBarWhenPushed)
        #expect(restored.webView.restorationIdentifier == "HelpVC")
        // The listing deselects the row.
        #expect(try about(next).tableView.listSelection == [])
    }

    @Test("the set of sections with shown notes is saved as the same bytes each time, and comes back")
    func savesSetOfSectionsInEqualBytes() throws {
        func saved(_ sections: [Int]) throws -> InMemoryArchiveStorage {
            let storage = InMemoryArchiveStorage()
            let (delegate, life, _) = launch(storage)
            (stack(delegate, 1)?.top as? ProgressViewController)?.sectionsWithShownNotes.addObjects(from: sections)
            try life.saveState()
            return storage
        }
        let storage = try saved([3, 1, 2])
        #expect(try storage.archive == saved([2, 1, 3]).archive)
        let restored = try #require(stack(launch(storage).delegate, 1)?.top as? ProgressViewController)
        #expect(restored.sectionsWithShownNotes == NSMutableSet(array: [1, 2, 3]))
    }

    @Test("seed 61 · the running app refuses state that a version before 3 saved", .tags(.seed))
    func refusesOlderVersions() throws {
        for (version, isRestored) in [("2", false), ("3", true), ("10", true)] {
            let storage = InMemoryArchiveStorage()
            let (delegate, life, _) = launch(storage, bundleVersion: version)
            delegate.tabBarController.selected = delegate.tabBarController.viewControllers[4]
            try life.saveState()
            let next = launch(storage, bundleVersion: "11")
            #expect((next.result != .declined) == isRestored)
            #expect(
                next.delegate.tabBarController.viewControllers.firstIndex {
                    $0 === next.delegate.tabBarController.selected
                } == (isRestored ? 4 : 0))
        }
    }
}
