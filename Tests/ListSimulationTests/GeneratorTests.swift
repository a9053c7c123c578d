import Testing

@testable import placekeeper_bench_lists

struct GeneratorTests {
    @Test func givesPhotosTheStatedAliases() {
        var (rows, servers, hashes, related) = (0, 0, 0, 0)
        for (library, chance) in Self.libraries(of: .photos) {
            var chance = chance
            for thing in library.things.indices {
                let aliases = library.aliases(of: thing, on: 0, &chance)
                rows += 1
                servers += aliases.count { $0.hasPrefix("server:") }
                hashes += aliases.count { $0.hasPrefix("hash:") }
            }
            let contents = Dictionary(grouping: library.things, by: \.content).values.filter { $0.count > 1 }
            let ids = library.things.compactMap { $0.aliases.first { $0.hasPrefix("server:") } }
            let bursts = Dictionary(grouping: ids) { $0 }.values.filter { $0.count > 1 }
            related += contents.count + bursts.joined().count
        }
        #expect(0.94...0.96 ~= share(servers, of: rows))
        #expect(0.58...0.62 ~= share(hashes, of: rows))
        #expect(0.007...0.014 ~= share(related, of: rows), "copies and bursts")
    }

    @Test func givesTracksTheKeysOfOtherAlbums() {
        var (rows, shared, inOneAlbum) = (0, 0, 0)
        for (library, _) in Self.libraries(of: .music) {
            for tracks in Dictionary(grouping: library.things, by: \.aliases).values {
                rows += tracks.count
                if tracks.count > 1 { shared += tracks.count }
                inOneAlbum += tracks.count - Set(tracks.map(\.section)).count
            }
        }
        #expect(0.22...0.28 ~= share(shared, of: rows))
        #expect(inOneAlbum == 0)
    }

    @Test func givesBooksTheStatedNumbers() {
        var (rows, without, other, volumes) = (0, 0, 0, 0)
        for (library, _) in Self.libraries(of: .books) {
            rows += library.things.count
            without += library.things.count { $0.aliases.isEmpty }
            other += library.things.count { $0.otherEdition != nil }
            let numbers = Dictionary(grouping: library.things.flatMap(\.aliases)) { $0 }
            volumes += numbers.values.filter { $0.count > 1 }.joined().count
        }
        #expect(0.08...0.12 ~= share(without, of: rows))
        #expect(0.035...0.06 ~= share(other, of: rows))
        #expect(0.015...0.045 ~= share(volumes, of: rows))
    }

    @Test func givesNotesNoAliases() {
        for (library, _) in Self.libraries(of: .notes) {
            #expect(library.things.filter { !$0.aliases.isEmpty }.isEmpty)
        }
    }

    @Test(arguments: Kind.ofPeople)
    func leavesOutFiveToTwentyPercentOnADevice(_ kind: Kind) {
        for (library, chance) in Self.libraries(of: kind) {
            var chance = chance
            let byField = library.things.indices.map(Double.init)
            var shelf = Shelf(0, of: library, .rowNumber, byField: byField, smallestFree: true, &chance)
            for _ in 0..<4 {
                let missing = 1 - share(shelf.rows.count, of: library.things.count)
                #expect(0.04...0.24 ~= missing)
                #expect(Set(shelf.names.values).count == shelf.rows.count)
                shelf.change(&chance)
            }
        }
    }

    /// A change of the generator makes results incomparable with the results in docs/identity-measured.md.
    @Test func staysFrozen() {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ text: String) {
            for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        for kind in Kind.ofPeople {
            for (library, chance) in Self.libraries(of: kind).prefix(10) {
                var chance = chance
                let byField = library.things.indices.shuffled(using: &chance).map(Double.init)
                for naming in [Naming.coreData, .rowNumber, .random] {
                    var shelf = Shelf(0, of: library, naming, byField: byField, smallestFree: true, &chance)
                    shelf.change(&chance)
                    shelf.migrate(&chance)
                    shelf.replaceRecords(&chance)
                    for row in shelf.rows { add("\(row) \(shelf.names[row] ?? "") \(shelf.aliases[row]);") }
                }
            }
        }
        #expect(digest == 0xB147_0190_9691_FA72)
    }

    private static func libraries(of kind: Kind) -> [(Library, Chance)] {
        (1...60).map { seed in
            var chance = Chance(seed: UInt64(seed))
            let library = Library(kind, devices: 3, &chance)
            return (library, chance)
        }
    }

    private func share(_ part: Int, of whole: Int) -> Double { Double(part) / Double(whole) }
}
