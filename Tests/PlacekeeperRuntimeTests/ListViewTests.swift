import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests lists that a person scrolls and whose data changes.
@MainActor
struct ListViewTests {
    private func table(_ dataSource: any ListDataSource) -> TableView {
        let list = TableView()
        list.dataSource = dataSource
        return list
    }

    @Test func doesNotScrollAboveItsTop() {
        let elements = Elements("a", "b", "c")
        let list = table(elements)
        list.scroll(to: 50)
        for offset in [0, -1] as [Double] {
            list.scroll(to: offset)
            #expect(list.contentOffset == 0)
        }
    }

    @Test func staysAtItsTopWhenRowsAreInserted() {
        let elements = Elements("a", "b", "c")
        let list = table(elements)
        list.scroll(to: 50)
        list.scroll(to: 0)
        elements.sections[0].insert("new", at: 0)
        list.reloadData()
        #expect(list.contentOffset == 0)
    }

    @Test func keepsSelectedIndexPathsThatStillExist() {
        let (longer, shorter) = (Switches([3, 4]), Switches([3, 1]))
        let list = table(longer)
        list.listSelection = [.init(section: 0, item: 2), .init(section: 1, item: 3)]
        list.dataSource = shorter
        list.reloadData()
        #expect(list.listSelection == [.init(section: 0, item: 2)])
    }
}
