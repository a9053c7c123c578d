import PlacekeeperHTTP
import Testing

@Suite struct ConditionsTests {
    @Test(arguments: [
        (#""1""#, true), (#"W/"1""#, true), (#"*"#, true), (#""0", "1""#, true), (#""0","1""#, true),
        (#", ,"1","#, true), (#""0" , W/"1""#, true), (#""a,"1"#, false), (#""0", "1, 2""#, false),
        (#""1"#, false), ("1", false), (#""11""#, false), (#"w/"1""#, false), (#"W/1"#, false), ("", false),
        (#""0"x, "1""#, false), (#""\", "1""#, true), (#"*, "0""#, false),
    ])
    func comparesIfNoneMatchWeakly(value: String, isNamed: Bool) throws {
        let head = try RequestHead.get("/", "If-None-Match: \(value)")
        #expect(head.ifNoneMatchNames(Array(#""1""#.utf8)) == isNamed)
        #expect(head.ifNoneMatchNames(Array(#"W/"1""#.utf8)) == isNamed)
    }

    @Test(arguments: [
        (#""1""#, true), (#"W/"1""#, false), ("*", true), (#""0", "1""#, true), (#"W/"1", "1""#, true),
        (#""2""#, false),
    ])
    func comparesIfMatchStrongly(value: String, isNamed: Bool) throws {
        let head = try RequestHead.get("/", "If-Match: \(value)")
        #expect(head.ifMatchNames(Array(#""1""#.utf8)) == isNamed)
        #expect(head.ifMatchNames(Array(#"W/"1""#.utf8)) == (value == "*"))
        #expect(head.ifMatchNames(nil) == false)
    }

    @Test func readsEntityTagsFromAllLines() throws {
        let head = try RequestHead.get("/", #"If-None-Match: "0""#, #"If-None-Match: "1""#)
        #expect(head.ifNoneMatchNames(Array(#""1""#.utf8)) == true)
    }

    @Test func returnsNilWithoutTheField() throws {
        let head = try RequestHead.get()
        #expect(head.ifNoneMatchNames(Array(#""1""#.utf8)) == nil)
        #expect(head.ifMatchNames(Array(#""1""#.utf8)) == nil)
        #expect(head.ifMatchNames(nil) == nil)
    }
}
