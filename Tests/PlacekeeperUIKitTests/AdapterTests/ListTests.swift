import Foundation
import PlacekeeperTesting
import PlacekeeperUIKit
import Testing
import UIKit

/// Lists whose data changes between and after the launches.
@MainActor
struct ListTests {
    private static let names = (0..<60).map { "row \($0)" }

    /// Leaves a table with a selected row and an offset.
    private func leaveTable(of rows: Rows, on device: Device) async throws {
        let first = await SmallApp(device).open { ViewPage.table(rows) }
        first.play { page in
            page.tap(rows.sections[0][33], of: rows)
            page.table?.contentOffset = CGPoint(x: 0, y: 44 * 31 + 7)
        }
        try await first.leave()
    }

    @Test("rows that arrive after the launch are selected and shown after itemsDidArrive()")
    func showsRowsThatArriveLater() async throws {
        let device = Device(.phone)
        try await leaveTable(of: NamedRows(Self.names), on: device)
        let rows = NamedRows(["row 1", "row 2"])
        let second = await SmallApp(device).open { ViewPage.table(rows) }
        #expect(second.root.selectedNames(rows) == [])
        second.play { page in
            rows.sections = [["first"] + Self.names]
            page.table?.reloadData()
            second.restoration.itemsDidArrive()
        }
        #expect(second.root.selectedNames(rows) == ["row 33"])
        #expect(second.root.top(rows) == "row 31 -7.0")
    }

    @Test(
        "a table view controller, which reloads when it appears, keeps its selection and offset",
        arguments: [false, true])
    func restoresTableViewController(_ appearsLate: Bool) async throws {
        let device = Device(.phone)
        let rows = NamedRows(Self.names)
        func open() async -> SmallWindow<UINavigationController> {
            await SmallApp(device).open(.init(appearsInForeground: appearsLate)) {
                let list = Master(rows)
                list.clearsSelectionOnViewWillAppear = false
                return UINavigationController("Stack", list)
            }
        }
        let first = await open()
        first.play { stack in
            let table = (stack.topViewController as? Master)?.tableView
            table?.double.tap(IndexPath(row: 33, section: 0))
            table?.contentOffset = CGPoint(x: 0, y: 133)
        }
        try await first.leave()
        rows.sections[0].insert("new", at: 0)
        let table = try #require((await open().root.topViewController as? Master)?.tableView)
        #expect(table.indexPathsForSelectedRows == [IndexPath(row: 34, section: 0)])
        #expect(table.contentOffset.y == 177)
    }

    @Test("a reload by the app deselects nothing, and is not the person's work")
    func keepsSelectionWhenTheAppReloads() async throws {
        let (phone, other) = try await Devices.twoPhones()
        let rows = NamedRows(Self.names)
        try await leaveTable(of: rows, on: phone)
        let looking = await SmallApp(other).open { ViewPage.table(rows) }
        looking.play { page in
            rows.sections[0].insert("first", at: 0)
            page.table?.reloadData()
        }
        try await looking.leave()
        #expect(looking.root.selectedNames(rows) == ["row 33"])

        let back = await SmallApp(phone).open { ViewPage.table(NamedRows(Self.names)) }
        await back.restoration.launched()
        #expect(back.restoration.offer == nil)
    }

    @Test("rows that haven't arrived are saved again")
    func savesPendingRows() async throws {
        let device = Device(.phone)
        try await leaveTable(of: NamedRows(Self.names), on: device)
        try await SmallApp(device).open { ViewPage.table(NamedRows(["row 1"])) }.leave()
        // No data source keeps the rows of this table: they are nil.
        try await SmallApp(device).open { ViewPage.table(nil) }.leave()
        let rows = NamedRows(Self.names)
        let last = await SmallApp(device).open { ViewPage.table(rows) }
        #expect(last.root.selectedNames(rows) == ["row 33"])
        #expect(last.root.top(rows) == "row 31 -7.0")
    }

    @Test("a data source that is set after the launch is asked after itemsDidArrive()")
    func asksLateDataSource() async throws {
        let device = Device(.phone)
        let rows = NamedRows(Self.names)
        try await leaveTable(of: rows, on: device)
        let second = await SmallApp(device).open { ViewPage.table(nil) }
        second.play { page in
            page.table?.dataSource = rows
            page.table?.reloadData()
            second.restoration.itemsDidArrive()
        }
        #expect(second.root.selectedNames(rows) == ["row 33"])
        #expect(second.root.top(rows) == "row 31 -7.0")
    }

    @Test("itemsDidArrive() reaches the lists of modal screens and of hidden tabs")
    func reachesAllLists() async throws {
        let device = Device(.phone)
        func tabs(_ rows: Rows) -> UITabBarController {
            let tabs = UITabBarController()
            tabs.restorationIdentifier = "Tabs"
            tabs.viewControllers = [FirstPage("First"), ViewPage.table(rows)]
            return tabs
        }
        let all = NamedRows(Self.names)
        let first = await SmallApp(device).open { tabs(all) }
        first.play { tabs in
            tabs.selectedIndex = 1
            (tabs.selectedViewController as? ViewPage)?.tap("row 5", of: all)
            tabs.selectedIndex = 0
        }
        try await first.leave()
        let rows = NamedRows([])
        let second = await SmallApp(device).open { tabs(rows) }
        second.play { _ in
            rows.sections = [Self.names]
            (second.root.viewControllers?[1] as? ViewPage)?.table?.reloadData()
            second.restoration.itemsDidArrive()
        }
        #expect((second.root.viewControllers?[1] as? ViewPage)?.selectedNames(rows) == ["row 5"])
    }

    @Test("an identifier that is gone selects nothing, even if the data source answers with the first row")
    func selectsNothingForMissingRow() async throws {
        for rows in [NamedRows(Self.names), FirstRowRows(Self.names)] {
            let device = Device(.phone)
            try await leaveTable(of: rows, on: device)
            rows.sections[0].removeAll { $0 == "row 33" }
            let second = await SmallApp(device).open { ViewPage.table(rows) }
            #expect(second.root.selectedNames(rows) == [])
            // The rows around it are where they were.
            #expect(second.root.top(rows) == "row 31 -7.0")
        }
    }

    @Test("on another device, a row is found by its aliases, because its identifier is another there")
    func findsRowByAlias() async throws {
        let (first, second) = try await Devices.twoPhones()
        try await leaveTable(of: AliasedRows("a", Self.names), on: first)
        let rows = AliasedRows("b", Self.names.reversed())
        let other = await SmallApp(second).open { ViewPage.table(rows) }
        #expect(other.root.selectedNames(rows) == ["b row 33"])
        #expect(other.root.top(rows)?.hasPrefix("b row 31") == true)
    }

    @Test("a data source that looks aliases up is asked instead of reading all rows")
    func asksForIdentifiersOfAlias() async throws {
        let (first, second) = try await Devices.twoPhones()
        try await leaveTable(of: AliasedRows("a", Self.names), on: first)
        let rows = AliasedRows("b", Self.names, looksUp: true)
        let other = await SmallApp(second).open { ViewPage.table(rows) }
        #expect(other.root.selectedNames(rows) == ["b row 33"])
        #expect(rows.lookups.contains("row 33"))
    }

    @Test("on another device, a row without aliases and with another identifier isn't selected")
    func leavesRowWithoutAlias() async throws {
        let (first, second) = try await Devices.twoPhones()
        try await leaveTable(of: NamedRows(Self.names.map { "a " + $0 }), on: first)
        let rows = NamedRows(Self.names.map { "b " + $0 })
        let other = await SmallApp(second).open { ViewPage.table(rows) }
        #expect(other.root.selectedNames(rows) == [])
    }

    @Test("a data source that reloads its table while it is asked keeps the rows that were selected already")
    func keepsSelectionOverReload() async throws {
        let device = Device(.phone)
        let rows = ReloadingRows(Self.names)
        let first = await SmallApp(device).open { ViewPage.table(rows, multiple: true) }
        first.play { page in
            for name in ["row 2", "row 4", "row 6"] { page.tap(name, of: rows) }
        }
        try await first.leave()
        let second = await SmallApp(device).open { ViewPage.table(rows, multiple: true) }
        #expect(second.root.selectedNames(rows) == ["row 2", "row 4", "row 6"])
    }
}

/// A data source as they are in the wild: it answers with the first row for an unknown identifier.
private final class FirstRowRows: NamedRows {
    override func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        super.indexPathForElement(withModelIdentifier: identifier, in: view) ?? IndexPath(row: 0, section: 0)
    }
}

private final class ReloadingRows: NamedRows {
    override func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        (view as? UITableView)?.reloadData()
        return super.indexPathForElement(withModelIdentifier: identifier, in: view)
    }
}

/// Rows with an identifier that only this device knows, and an alias.
private final class AliasedRows: NamedRows, AliasedModelAssociation {
    private let prefix: String
    private let looksUp: Bool
    /// The aliases that were looked up.
    private(set) var lookups: [String] = []

    init(_ prefix: String, _ names: [String], looksUp: Bool = false) {
        (self.prefix, self.looksUp) = (prefix, looksUp)
        super.init(names.map { prefix + " " + $0 })
    }

    var listName: String { "rows" }
    func aliases(forElementWithModelIdentifier identifier: String) -> [ItemAlias] {
        [ItemAlias("name", String(identifier.dropFirst(prefix.count + 1)))]
    }
    func modelIdentifiers(forElementsWith alias: ItemAlias) -> [String]? {
        guard looksUp else { return nil }
        lookups.append(alias.value)
        return [prefix + " " + alias.value]
    }
}
