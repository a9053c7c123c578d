import Testing

@testable import placekeeper

@Suite struct TableTests {
    @Test func alignsColumnsWithoutTrailingSpaces() {
        let table = Table(header: ["ID", "NAME", ""], rows: [["1", "a", ""], ["200", "größer", "x"]])
        #expect(table.text == "ID   NAME\n1    a\n200  größer  x")
    }

    @Test func printsNoneWithoutRows() {
        #expect(Table(header: ["ID", "NAME"]).text == "none")
    }
}
