import Foundation
import Testing
import UIKit

/// The running app of S4, written for UIKit, with nothing of Placekeeper in it.
@MainActor
struct RunnerTests {
    /// Six months with eight runs each. Months and runs have the same identifiers on all devices.
    private func runs() -> RunStore {
        let store = RunStore()
        store.months = (0..<6).map { month in
            let runs = (0..<8).map { day in
                Run(identifier: "run-\(month)-\(day)", title: "Run \(month).\(day)", notes: "Notes \(month).\(day)")
            }
            return ("Month \(month)", runs)
        }
        return store
    }

    private func launch(_ device: Device, _ runs: RunStore? = nil) async throws -> Launch<RunnerSceneDelegate> {
        try await device.launch(RunnerAppDelegate(runs: runs ?? self.runs())) { RunnerSceneDelegate($0) }
    }

    @Test(
        "seed 90 · S4's running app: the open run comes back, and below it the list as it was", .tags(.seed),
        arguments: Journey.allCases)
    func restoresStackAndList(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        first.play { app in
            app.scrollRuns(to: 44 * 9 + 13)
            app.toggleNotes(of: "run-2-1")
            app.openRun("run-2-2")
        }
        let left = try await first.leave()
        let list = first.goBack()

        let second = try await launch(devices.second)
        #expect(second.seen == left)
        #expect(second.seen.contains("stack Runs / Run 2.2"))
        #expect(second.goBack() == list)
        #expect(list.contains { $0.hasPrefix("top row Run 1.") })
        #expect(list.contains("selected row Run 2.2"))
        #expect(list.contains("detail Notes 2.1"))
    }

    @Test(
        "seed 90 · S4's running app: a help page comes back with its file name and without the bottom bar",
        .tags(.seed), arguments: Journey.allCases)
    func restoresHelpPage(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        first.play { $0.openHelp("stretching") }
        _ = try await first.leave()

        let second = try await launch(devices.second)
        let page = ["tab 3", "stack Help / Stretching", "bottom bar hidden", "screen Stretching"]
        #expect(second.seen == page + ["text The page stretching.html"])
        #expect(second.play { $0.tabs.viewControllers?.count } == 5)
    }

    @Test(
        "seed 90 · S4's running app: the visible rows stay in place when rows moved and the first is gone", .tags(.seed)
    )
    func keepsVisibleRowsInPlace() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first)
        // With notes the row of run 3.0 is higher than the others.
        first.play { app in
            app.toggleNotes(of: "run-3-0")
            app.scrollRuns(to: 44 * 11 + 7)
        }
        let rows = first.visibleRows
        let top = try #require(rows.first)
        _ = try await first.leave()

        let moved = runs()
        moved.months.insert(("Newest month", [Run(identifier: "run-new", title: "New run", notes: "")]), at: 0)
        moved.months[2].runs.removeAll { $0.title == top.title }
        let second = try await launch(devices.second, moved)
        let again = second.visibleRows
        #expect(rows.count > 10)
        for row in rows.dropFirst() { #expect(again.contains { $0 == row }, "\(row)") }
        #expect(second.play { $0.runList.runsWithShownNotes } == ["run-3-0"])
    }

    @Test("seed 90 · S4's running app: a run that was deleted isn't opened, and its list is shown", .tags(.seed))
    func endsStackBeforeDeletedRun() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first)
        first.play { $0.openRun("run-1-1") }
        _ = try await first.leave()

        let fewer = runs()
        fewer.months[1].runs.remove(at: 1)
        let second = try await launch(devices.second, fewer)
        #expect(second.seen.contains("tab 1"))
        #expect(second.seen.contains("stack Runs"))
        #expect(!second.seen.contains { $0.hasPrefix("selected row") })
    }

    @Test("seed 90 · S4's running app: a static list keeps its selected index path", .tags(.seed))
    func restoresSelectionOfStaticList() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first)
        first.play { app in
            app.selectTab("Settings")
            let settings = app.window?.topTable
            settings?.selectRow(at: IndexPath(row: 2, section: 1), animated: false, scrollPosition: .none)
        }
        let left = try await first.leave()
        #expect(left.contains("selected row Silence"))
        #expect(try await launch(devices.second).seen == left)
    }
}

extension UIWindow {
    /// The table on the visible screen.
    fileprivate var topTable: UITableView? {
        let tabs = rootViewController as? UITabBarController
        let stack = tabs?.selectedViewController as? UINavigationController
        return (stack?.topViewController as? UITableViewController)?.tableView
    }
}

extension Launch<RunnerSceneDelegate> {
    /// Goes back in the visible stack, and returns what is on the screen then.
    fileprivate func goBack() -> [String] {
        play { app in
            _ = (app.tabs.selectedViewController as? UINavigationController)?.popViewController(animated: false)
        }
        return seen
    }

    /// The visible runs, with their distances from the top of the list.
    fileprivate var visibleRows: [(title: String, distance: Double)] {
        play { app in
            guard let table = app.runList.tableView else { return [] }
            return (table.indexPathsForVisibleRows ?? []).map { row in
                let title = table.cellForRow(at: row)?.textLabel?.text ?? ""
                return (title, Double(table.rectForRow(at: row).origin.y - table.contentOffset.y))
            }
        }
    }
}
