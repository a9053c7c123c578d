import Foundation
import Testing
import UIKit

/// The listings of S4, in UIKit's spelling.
@MainActor
struct RunningAppListingTests {
    private func launch(_ device: Device, rows: [[String]]? = nil) async throws -> Launch<ListingScene> {
        let delegate = RunningAppDelegate()
        if let rows { delegate.dataRows = rows }
        return try await device.launch(delegate) { delegate in
            ListingScene { scene in
                let window = delegate.window ?? UIWindow(windowScene: scene)
                window.windowScene = scene
                // Without this line, a table loses its selection when it appears.
                let about = delegate.tabBarController.viewControllers?[3].children.first as? AboutViewController
                about?.clearsSelectionOnViewWillAppear = false
                about?.tableView.allowsMultipleSelection = true
                return window
            }
        }
    }

    private var rows: [[String]] { RunningAppDelegate().dataRows }

    @Test("seed 90 · S4's listing: the selected tab comes back", .tags(.seed), arguments: [Journey.folder, .service])
    func restoresSelectedTab(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        first.play { $0.tabs?.selectedIndex = 4 }
        _ = try await first.leave()
        let second = try await launch(devices.second)
        #expect(second.play { $0.tabs?.selectedIndex } == 4)
        #expect(second.play { $0.tabs?.viewControllers?.count } == 5)
    }

    @Test(
        "seed 90 · S4's listing: selection and visible rows come back in a table that reloads while it is asked",
        .tags(.seed), arguments: [Journey.folder, .service])
    func restoresReloadingTable(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        try first.play { scene in
            scene.tabs?.selectedIndex = 3
            let table = try #require(scene.about?.tableView)
            for (row, section) in [(4, 0), (7, 1), (19, 2)] {
                table.selectRow(at: IndexPath(row: row, section: section), animated: false, scrollPosition: .none)
            }
            table.setContentOffset(CGPoint(x: 0, y: 44 * 22 + 9), animated: false)
        }
        #expect(first.seen.contains("top row row 1.2 at -9.0"))
        _ = try await first.leave()

        // The rows moved, a section was inserted, and "row 0.4" was removed.
        var moved = rows.map { Array($0.reversed()) }
        moved[0].removeAll { $0 == "row 0.4" }
        let second = try await launch(devices.second, rows: [["new"]] + moved)
        #expect(second.play { $0.tabs?.selectedIndex } == 3)
        #expect(second.seen.contains("top row row 1.2 at -9.0"))
        let selected = second.seen.filter { $0.hasPrefix("selected") }
        #expect(selected == ["selected row row 1.7", "selected row row 2.19"])
        second.play { scene in
            let table = scene.about?.tableView
            #expect(table?.indexPathsForVisibleRows?.first == IndexPath(row: 17, section: 2))
            #expect((scene.about?.timesAsked ?? 500) < 500)
        }
    }

    @Test(
        "seed 90 · S4's listing: the help page comes back with its file name from the coder of its factory",
        .tags(.seed), arguments: [Journey.folder, .service])
    func restoresHelpPage(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        let opened = try first.play { scene in
            scene.tabs?.selectedIndex = 3
            let about = try #require(scene.about)
            let row = IndexPath(row: kFlipTipsSectionHealthRow, section: kFlipTipsSection)
            about.tableView(about.tableView, didSelectRowAt: row)
            return about.helpController
        }
        _ = try await first.leave()
        // Saves the restored state once more.
        _ = try await launch(devices.first).leave()

        let second = try await launch(devices.second)
        second.play { scene in
            let stack = scene.tabs?.selectedViewController as? UINavigationController
            let page = stack?.topViewController as? HelpViewController
            #expect(stack?.viewControllers.count == 2)
            #expect(page != nil && page !== opened)
            #expect(page?.pageFileName == "health")
            #expect(page?.hidesBottomBarWhenPushed == true)
            #expect(page?.view.restorationIdentifier == "HelpVC")
        }
    }

    @Test(
        "seed 90 · S4's listing: the sections with shown notes come back", .tags(.seed),
        arguments: [Journey.folder, .service])
    func restoresShownNotes(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        first.play { scene in
            scene.tabs?.selectedIndex = 1
            scene.progress?.sectionsWithShownNotes.addObjects(from: [3, 1])
            scene.progress?.tableView.reloadData()
        }
        _ = try await first.leave()

        let second = try await launch(devices.second)
        second.play { scene in
            #expect(scene.progress?.sectionsWithShownNotes == NSMutableSet(array: [1, 3]))
            #expect((0..<5).map { scene.progress?.tableView.numberOfRows(inSection: $0) } == [1, 2, 1, 2, 1])
        }
    }

    @Test(
        "seed 90 · S4's listing: the delegate refuses the state of a version before 3", .tags(.seed),
        arguments: [("2", 0), ("3", 4), ("10", 4)])
    func refusesOlderVersions(_ version: String, _ expected: Int) async throws {
        let devices = try await Devices(.folder)
        devices.first.bundleVersion = version
        let first = try await launch(devices.first)
        first.play { $0.tabs?.selectedIndex = 4 }
        _ = try await first.leave()
        devices.second.bundleVersion = "11"
        #expect(try await launch(devices.second).play { $0.tabs?.selectedIndex } == expected)
    }

    @Test("seed 90 · S4's listing: a second phone of the same person shows the same page", .tags(.seed))
    func restoresOnSecondPhone() async throws {
        let (phone, other) = try await Devices.twoPhones()
        let first = try await launch(phone)
        try first.play { scene in
            scene.tabs?.selectedIndex = 3
            let about = try #require(scene.about)
            about.tableView.setContentOffset(CGPoint(x: 0, y: 44 * 30), animated: false)
            let row = IndexPath(row: kFlipTipsSectionHealthRow, section: kFlipTipsSection)
            about.tableView(about.tableView, didSelectRowAt: row)
        }
        let left = try await first.leave()
        let second = try await launch(other)
        #expect(second.seen == left)
        #expect(left.contains("label health"))
    }

    @Test("seed 90 · S4's listing: the delegate refuses the state of another idiom", .tags(.seed))
    func refusesStateOfAnotherIdiom() async throws {
        let devices = try await Devices(.padToPhone)
        let first = try await launch(devices.first)
        first.play { $0.tabs?.selectedIndex = 2 }
        _ = try await first.leave()
        #expect(try await launch(devices.second).play { $0.tabs?.selectedIndex } == 0)
        // On the pad itself, the state comes back.
        #expect(try await launch(devices.first).play { $0.tabs?.selectedIndex } == 2)
    }
}

extension ListingScene {
    fileprivate var tabs: UITabBarController? { window?.rootViewController as? UITabBarController }
    fileprivate var about: AboutViewController? { first(in: 3) }
    fileprivate var progress: ProgressViewController? { first(in: 1) }

    private func first<Screen: UIViewController>(in tab: Int) -> Screen? {
        (tabs?.viewControllers?[tab] as? UINavigationController)?.viewControllers.first as? Screen
    }
}
