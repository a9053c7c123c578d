import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperStandIns
import Testing

/// The paragraphs of a book, of which another device has another edition: none of the saved paragraphs is there.
@MainActor
struct ListFractionTests {
    private let edition = Elements([(0..<40).map { "a\($0)" }, (40..<100).map { "a\($0)" }])
    private let longer = Elements([["new"] + (0..<100).map { "a\($0)" }])
    private let empty = Elements([[]])
    private let short = Elements("x", "y", "z")
    private let other = Elements([(0..<150).map { "b\($0)" }, (150..<200).map { "b\($0)" }])

    private func list(_ source: Elements, fallsBack: Bool = true) -> (app: TestApp, list: TableView) {
        let screen = Screen("Root")
        let list = TableView()
        list.restorationIdentifier = "List"
        list.dataSource = source
        list.listFallsBackToFraction = fallsBack
        screen.views = [list]
        return (TestApp(screen), list)
    }

    private func saved(fallsBack: Bool = true) throws -> StateArchive {
        let (app, list) = list(edition, fallsBack: fallsBack)
        list.scroll(to: 44 * 50)
        return try #require(try app.save())
    }

    private func approximations(_ app: TestApp) -> [RestorationEvent] {
        app.journal.events.filter { if case .approximated = $0 { true } else { false } }
    }

    @Test func showsTheRowAtTheFractionAndSaysSo() throws {
        let (app, list) = list(other)
        try app.restore(try saved())
        #expect(list.listAnchor == .init(indexPath: .init(section: 0, item: 100)))
        #expect(list.pendingList?.isAtFraction == true)
        let event = try #require(approximations(app).first)
        #expect(event == .approximated(path: "Root/List", fraction: 0.5))
        #expect(event.description == "Root/List shows the row at 50 % of the list: none of the saved rows is there")
    }

    @Test func exactRowTakesPrecedence() throws {
        let (app, list) = list(longer)
        try app.restore(try saved())
        #expect(list.listAnchor == .init(indexPath: .init(item: 51)))
        #expect(list.pendingList == nil && approximations(app).isEmpty)
    }

    @Test func rowThatArrivesReplacesTheFraction() throws {
        let (app, list) = list(other)
        try app.restore(try saved())
        // A save in between keeps the saved row and its fraction.
        let again = try #require(try app.save())
        let (next, later) = self.list(empty)
        try next.restore(again)
        #expect(later.listAnchor == nil && later.pendingList?.isAtFraction == false)
        later.dataSource = other
        later.reloadData()
        #expect(later.listAnchor == .init(indexPath: .init(item: 100)) && later.pendingList?.isAtFraction == true)
        later.dataSource = edition
        later.reloadData()
        #expect(later.listAnchor == .init(indexPath: .init(section: 1, item: 10)) && later.pendingList == nil)
        _ = list
    }

    /// In a list of items, another item would be a wrong place.
    @Test(arguments: [(true, false), (false, true), (false, false)])
    func listThatDoesNotFallBackShowsNoOtherItem(saves: Bool, restores: Bool) throws {
        let (app, list) = list(other, fallsBack: restores)
        try app.restore(try saved(fallsBack: saves))
        #expect(list.contentOffset == 0 && approximations(app).isEmpty)
    }

    @Test(arguments: [StateValue.real(-0.1), .real(1.1), .real(.nan), .real(.infinity), .string("half"), .null])
    func ignoresAFractionThatIsNotFromZeroToOne(_ fraction: StateValue) throws {
        var archive = try saved()
        let index = try #require(archive.objects.firstIndex { $0.path == "Root/List" })
        #expect(archive.objects[index].state["kListFirstVisibleFractionKey"] == .real(0.5))
        archive.objects[index].state["kListFirstVisibleFractionKey"] = fraction
        let (app, list) = list(other)
        try app.restore(archive)
        #expect(list.contentOffset == 0)
    }

    @Test(arguments: [0.0, 0.004, 0.996, 1])
    func fractionStaysWithinTheList(_ fraction: Double) {
        let (_, list) = list(short)
        list.visibleHeight = 20
        list.show(
            .init(
                anchor: .init(dataSource: "elements", element: .init("gone"), role: .firstVisible), fraction: fraction))
        #expect(list.listAnchor?.indexPath.item == (fraction < 0.5 ? 0 : 2))
    }
}
