import PlacekeeperArchive
import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Data that changes while a list is restored.
extension ModelAssociationTests {
    @Test("seed 54 · data that is replaced during restoring selects no other item", .tags(.seed))
    func selectsNoOtherItemIfDataChangesDuringRestoring() throws {
        final class Changing: ListDataSource, DataSourceModelAssociation {
            let dataSourceName = "elements"
            var elements: [String]
            var changes: [[String]] = []
            init(_ elements: [String]) { self.elements = elements }
            func elementCounts() -> [Int] { [elements.count] }
            func modelIdentifierForElement(at place: ElementIndexPath?, in view: (any ElementView)?) -> String? {
                place.flatMap { elements.indices.contains($0.item) ? elements[$0.item] : nil }
            }
            func indexPathForElement(withModelIdentifier name: String?, in view: (any ElementView)?)
                -> ElementIndexPath?
            {
                let place = elements.firstIndex { $0 == name }.map { ElementIndexPath(item: $0) }
                if !changes.isEmpty { elements = changes.removeFirst() }
                return place
            }
        }
        let (app, list) = self.list(Changing((0..<20).map { "e\($0)" }))
        list.scroll(to: 44 * 5)
        list.select(.init(item: 7), .init(item: 19))
        let archive = try app.save()
        for changes in [[[]], [["e19"]], [["x"], []], [["e7"], ["e19"], []]] as [[[String]]] {
            let source = Changing((0..<20).map { "e\($0)" })
            source.changes = changes
            let (next, restored) = self.list(source)
            try next.restore(archive)
            restored.reloadData()
            let selected = restored.listSelection.map {
                source.elements.indices.contains($0.item) ? source.elements[$0.item] : "?"
            }
            #expect(Set(selected).isSubset(of: ["e7", "e19"]))
        }
    }

    @Test("seed 54 · after any change of the data, exactly the remaining selected items are selected", .tags(.seed))
    func selectsExactlyTheRemainingItems() throws {
        var random = SplitMix(seed: 54)
        for _ in 0..<200 {
            let all = (0..<Int.random(in: 1...40, using: &random)).map { "e\($0)" }
            let before = Elements([all])
            let chosen = Set((0..<3).map { _ in all.randomElement(using: &random)! })
            var left = all.filter { _ in Bool.random(using: &random) } + (0..<3).map { "new\($0)" }
            left.shuffle(using: &random)
            let cut = Int.random(in: 0...left.count, using: &random)
            let after = Elements([Array(left[..<cut]), [], Array(left[cut...])])
            let list = try restored(before, after) { list in
                list.scroll(to: 44 * Double(Int.random(in: 0..<all.count, using: &random)))
                list.listSelection = all.indices.filter { chosen.contains(all[$0]) }.map { .init(item: $0) }
            }
            let selected = Set(list.listSelection.map { after.sections[$0.section][$0.item] })
            #expect(selected == chosen.intersection(left))
        }
    }

    @Test func keepsStringsThatEqualIdentifiers() throws {
        final class Photo: Screen {
            let source = Elements("p12", "p13")
            var open: String?
            override func encodeRestorableState(with coder: StateEncoder) {
                super.encodeRestorableState(with: coder)
                coder.encode(elementWithModelIdentifier: open, of: source, forKey: "open")
            }
            override func decodeRestorableState(with coder: StateDecoder) throws {
                try super.decodeRestorableState(with: coder)
                open = coder.decodeElement(of: source, forKey: "open")?.identifier
            }
        }
        let photo = Photo("Photo", text: "p12")
        photo.open = "p12"
        var archive = try #require(try TestApp(photo).save())
        // The service replaces the identifier in this way for another device.
        archive.references[0].element.identifier = "p13"
        let restored = Photo("Photo")
        try TestApp(restored).restore(archive)
        #expect(restored.open == "p13")
        #expect(restored.text == "p12")
    }

    @Test func restoresListWhenItsDataArrives() throws {
        let (before, after) = (Elements("a", "b", "c"), Elements([[]]))
        let (app, list) = list(before)
        list.scroll(to: 44)
        list.select(.init(item: 2))
        let archive = try app.save()
        let (next, restored) = self.list(after)
        try next.restore(archive)
        #expect(restored.listSelection == [])
        after.sections = [["c", "b", "a"]]
        restored.reloadData()
        #expect(restored.listSelection == [.init(item: 0)])
        #expect(restored.listAnchor?.indexPath == .init(item: 1))
        #expect(restored.pendingList == nil)
    }

    @Test func selectsOneRowOfAnItemThatIsListedTwice() {
        let elements = Elements("a", "b", "a")
        let (_, list) = list(elements)
        list.select(.init(item: 0), .init(item: 2))
        elements.sections = [["new", "a", "b", "a"]]
        list.reloadData()
        #expect(list.listSelection == [.init(item: 1)])
    }

    @Test func keepsSelectionByThePerson() throws {
        let after = Elements("x")
        let list = try restored(Elements("a", "b"), after) { $0.select(.init(item: 1)) }
        list.select(.init(item: 0))
        after.sections = [["a", "b", "x"]]
        list.reloadData()
        #expect(list.listSelection == [.init(item: 2)])
    }
}
