import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

/// References that the items near them tell apart (docs/identity-algorithm.md#alignment).
@Suite struct AlignmentTests {
    typealias Element = ModelReference.Element

    /// A phone and a pad with registered lists. The positions rise with the order.
    static func fixture(
        phone: [(String, [String])], pad: [(String, [String])], _ source: DataSource = DataSource(scope: .registered)
    ) async throws -> IdentityFixture {
        let fixture = try await IdentityFixture(source)
        for (principal, list) in [(fixture.phone, phone), (fixture.pad, pad)] {
            let items = list.enumerated().map { Item($1.0, aliases: $1.1, position: Int64($0) * 1000) }
            try await fixture.register(items, on: principal)
        }
        return fixture
    }

    /// Returns the references to items of the phone, each with the registered neighbors of `list`, as the pad gets them.
    private static func served(
        _ identifiers: [String], role: ModelReference.Role = .selected, of list: [(String, [String])] = [],
        in fixture: IdentityFixture
    ) async throws -> [ModelReference] {
        let references = identifiers.map { identifier in
            var reference = ModelReference.to(identifier, role: role)
            guard let place = list.firstIndex(where: { $0.0 == identifier }) else { return reference }
            let elements = list.map { Element($0.0, aliases: $0.1) }
            reference.element = elements[place]
            reference.before = elements[..<place].reversed().prefix(8).map(\.self)
            reference.after = elements[(place + 1)...].prefix(8).map(\.self)
            return reference
        }
        _ = try await fixture.upload(references, by: fixture.phone)
        return try await fixture.references(for: fixture.pad)
    }

    /// An album, and a best-of album that has two of its tracks. Both devices have both albums.
    private static let albums: [(String, [String])] =
        (["one", "two", "three", "four"] + (5...20).map { "track \($0)" }).map { ($0, ["key:\($0)"]) }
        + [("six", ["key:six"]), ("best two", ["key:two"]), ("seven", ["key:seven"]), ("best four", ["key:four"])]
        + [("eight", ["key:eight"])]

    private static func renamed(_ list: [(String, [String])]) -> [(String, [String])] { list.map { ("q \($0)", $1) } }

    @Test(arguments: [true, false])
    func distinguishesDuplicatesByTheItemsNearThem(archiveHasNeighbors: Bool) async throws {
        let fixture = try await Self.fixture(phone: Self.albums, pad: Self.renamed(Self.albums))
        let names = ["two", "best two", "four", "best four"]
        let served = try await Self.served(names, of: archiveHasNeighbors ? Self.albums : [], in: fixture)
        #expect(served.map(\.element.identifier) == names.map { "q \($0)" })
        #expect(served.map(\.resolution?.step) == Array(repeating: .alignment, count: 4))
    }

    @Test func distinguishesDuplicatesInAListInTheOppositeOrder() async throws {
        let fixture = try await Self.fixture(phone: Self.albums, pad: Self.renamed(Self.albums).reversed())
        let served = try await Self.served(["two", "best four"], in: fixture)
        #expect(served.map(\.element.identifier) == ["q two", "q best four"])
    }

    @Test func leavesDuplicatesUnresolvedInAListOfAnotherOrder() async throws {
        // Each of the tracks lies in an album of its own.
        let apart = Self.renamed(Self.albums).flatMap { track in
            [track] + (0..<80).map { ("\(track.0) \($0)", ["key:\(track.0) \($0)"]) }
        }
        let fixture = try await Self.fixture(phone: Self.albums, pad: apart)
        let served = try await Self.served(["two", "best two"], in: fixture)
        #expect(served.map(\.element.identifier) == [nil, nil])
        #expect(served.map(\.resolution?.step) == [.pending, .pending])
    }

    /// The pad lacks the album's track, and has the best-of album's track with the same title.
    @Test func doesNotTakeTheOnlyItemWithAnAliasIfItAlignsElsewhere() async throws {
        var phone = Self.albums
        phone.removeAll { $0.0 == "best two" }
        let pad = Self.renamed(Self.albums).filter { $0.0 != "q two" }
        var fixture = try await Self.fixture(phone: phone, pad: pad)
        var served = try await Self.served(["two", "one"], in: fixture)
        #expect(served.map(\.element.identifier) == [nil, "q one"])
        #expect(served.map(\.resolution?.step) == [.pending, .alias])
        // Without an ambiguous alias of the kind, the alias counts.
        let unique = { (list: [(String, [String])]) in list.filter { !$0.0.hasSuffix("four") } }
        fixture = try await Self.fixture(phone: unique(phone), pad: unique(pad))
        served = try await Self.served(["two"], in: fixture)
        #expect(served.map(\.element.identifier) == ["q best two"])
    }

    /// By the alias alone, the pad would find the best-of album's track.
    @Test func marksTheAliasOfAnItemAlignedElsewhere() async throws {
        let phone = Self.albums.filter { $0.0 != "best two" }
        let fixture = try await Self.fixture(phone: phone, pad: Self.renamed(Self.albums).filter { $0.0 != "q two" })
        let served = try await Self.served(["two"], of: phone, in: fixture)
        #expect(served.map(\.element.identifier) == [nil] && served.map(\.element.aliases) == [[]])
        #expect(served.map(\.element.sharedAliases) == [phone.first { $0.0 == "two" }?.1])
    }

    /// In a list of titles, an alias alone is not enough to tell which of the equal titles is meant.
    @Test func needsAlignmentForAnAliasOfAKindThatIsOftenAmbiguous() async throws {
        let fixture = try await Self.fixture(
            phone: [("p1", ["key:a"]), ("p2", ["key:b"]), ("p3", ["key:b"])], pad: [("q1", ["key:a"])])
        #expect(try await Self.served(["p1"], in: fixture).map(\.element.identifier) == [nil])
        try await fixture.register(Item("p3", aliases: ["key:c"], position: 2000), on: fixture.phone)
        #expect(try await Self.served(["p1"], in: fixture).map(\.element.identifier) == ["q1"])
    }

    @Test func findsAnItemWithoutAliasesBetweenTheSameNeighbors() async throws {
        let phone: [(String, [String])] = [
            ("p1", ["isbn:1"]), ("p2", []), ("p3", ["isbn:3"]), ("p4", ["isbn:4"]), ("p5", []),
        ]
        let fixture = try await Self.fixture(
            phone: phone,
            pad: [("q1", ["isbn:1"]), ("q2", []), ("q3", ["isbn:3"]), ("q4", ["isbn:4"]), ("q5", ["isbn:5"])])
        let served = try await Self.served(["p2", "p5"], in: fixture)
        #expect(served.map(\.element.identifier) == ["q2", nil])
        #expect(served.map(\.resolution?.step) == [.alignment, .pending])
    }

    @Test func doesNotTakeAnItemWithAnotherAliasOfTheSameKind() async throws {
        let phone: [(String, [String])] = [("p1", ["isbn:1"]), ("p2", ["isbn:2"]), ("p3", ["isbn:3"])]
        let fixture = try await Self.fixture(
            phone: phone, pad: [("q1", ["isbn:1"]), ("q2", ["isbn:9"]), ("q3", ["isbn:3"])])
        #expect(try await Self.served(["p2"], in: fixture).map(\.element.identifier) == [nil])
    }

    @Test(arguments: [(true, false), (false, false), (false, true)])
    func takesOneOfCopiesBesideEachOtherOnlyAtTheTopOfAList(isAtTop: Bool, selectsNeighbors: Bool) async throws {
        let phone: [(String, [String])] = [
            ("p1", ["hash:1"]), ("p2", ["hash:2"]), ("p3", ["hash:2"]), ("p4", ["hash:4"]),
        ]
        let pad: [(String, [String])] = [("q1", ["hash:1"]), ("q2", ["hash:2"]), ("q3", ["hash:4"])]
        let source = DataSource(scope: .registered, selectsNeighbors: selectsNeighbors)
        let fixture = try await Self.fixture(phone: pad.map { ("p" + $0.0, $0.1) }, pad: phone, source)
        let served = try await Self.served(["pq2"], role: isAtTop ? .firstVisible : .selected, in: fixture)
        let isTaken = isAtTop || selectsNeighbors
        #expect(served.map(\.element.identifier) == [isTaken ? "p2" : nil])
        #expect(served.map(\.resolution?.step) == [isTaken ? .indistinguishable : .pending])
    }

    @Test func findsNoItemThatAnOperatorDecidedToBeDifferent() async throws {
        let fixture = try await Self.fixture(phone: Self.albums, pad: Self.renamed(Self.albums))
        try await fixture.decide(.different, "two", "q two")
        #expect(try await Self.served(["two"], in: fixture).map(\.element.identifier) == [nil])
    }

    @Test func resolvesSingleIdentifiersByRegisteredPositions() async throws {
        let fixture = try await Self.fixture(phone: Self.albums, pad: Self.renamed(Self.albums))
        let resolutions = try await fixture.service.lists.resolve(
            ["two", "best two"], of: fixture.phone.device.id, in: IdentityFixture.list, for: fixture.pad)
        #expect(resolutions.map(\.identifier) == ["q two", "q best two"])
        #expect(resolutions.map(\.step) == [.alignment, .alignment])
    }
}
