import KeyedArchive
import Testing

@testable import placekeeper

@Suite struct ArchiveTreeTests {
    func top(_ value: PropertyListValue, values: Int = 1000, depth: Int = 64) throws -> [InspectedValue.Field] {
        var tree = ArchiveTree(
            try KeyedArchiveReader(validating: value.encoded()), maximumValues: values, maximumDepth: depth)
        return tree.top()
    }

    func archive(top: [String: PropertyListValue], objects: [PropertyListValue]) -> PropertyListValue {
        .dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(top),
            "$objects": .array([.string("$null")] + objects),
        ])
    }

    func record(_ name: String) -> PropertyListValue {
        .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
    }

    @Test func tellsEveryObjectOnceAlsoInACircle() throws {
        let fields = try top(
            archive(
                top: ["root": .uid(1)],
                objects: [
                    .dictionary(["$class": .uid(3), "next": .uid(2)]),
                    .dictionary(["$class": .uid(3), "next": .uid(1)]),
                    record("Node"),
                ]))
        let second = InspectedValue.object(
            className: "Node", number: 2, fields: [.init(key: "next", value: .again(number: 1))])
        #expect(
            fields == [
                .init(
                    key: "root",
                    value: .object(className: "Node", number: 1, fields: [.init(key: "next", value: second)]))
            ])
    }

    @Test func takesFoundationsContainersForWhatTheyHold() throws {
        var builder = KeyedArchiveBuilder()
        let (key, one, flag) = (builder.add("key"), builder.add(1 as Int64), builder.add(true))
        let list = builder.addArray([one, flag])
        builder.setTop(builder.addDictionary(keys: [key], values: [list]), forKey: "root")
        builder.setTop(builder.add(date: 0), forKey: "when")
        var tree = ArchiveTree(try KeyedArchiveReader(validating: builder.finish()))
        #expect(
            tree.top() == [
                .init(
                    key: "root",
                    value: .dictionary([.init(key: "key", value: .array([.integer(1), .boolean(true)]))])),
                .init(key: "when", value: .date(0)),
            ])
    }

    @Test func tellsNilAndNumbersThatStandAtTheTop() throws {
        let fields = try top(archive(top: ["a": .uid(0), "b": .integer(7), "c": .real(0.5)], objects: []))
        #expect(fields.map(\.value) == [.null, .integer(7), .real(0.5)])
    }

    @Test func stopsWhereItIsTooDeepOrTooMuch() throws {
        let nested = (0..<40).reduce(PropertyListValue.integer(1)) { value, _ in .array([value]) }
        let deep = try top(archive(top: ["a": nested], objects: []), depth: 5)
        #expect(InspectedValue.lines(deep).count < 8)
        let many = try top(archive(top: ["a": .array((0..<500).map { .integer($0) })], objects: []), values: 100)
        #expect(InspectedValue.lines(many).last?.hasSuffix("…") == true)
        #expect(InspectedValue.lines(many).count < 110)
    }
}
