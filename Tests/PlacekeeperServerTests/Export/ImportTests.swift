import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct ImportTests {
    /// Returns an empty service with the clock of another service.
    private func target(_ source: ServerFixture) async throws -> ServerFixture {
        let target = try await ServerFixture()
        target.clock.set(source.clock.now())
        return target
    }

    private func lines(_ bytes: [UInt8]) -> [[UInt8]] { bytes.split(separator: 0x0A).map { Array($0) } }

    /// Joins lines to a file with a header and an end that belong to the lines.
    private func file(_ lines: [[UInt8]]) throws -> [UInt8] {
        var inner: [UInt8] = []
        for line in lines.dropFirst().dropLast() { inner += line + [0x0A] }
        let digest = SystemHashing().sha256(inner).hexadecimal
        let end = try JSONBody.encode(ExportLine.end(ExportLine.End(lines: lines.count - 2, sha256: digest)))
        var file = lines[0] + [0x0A]
        file += inner
        file += end
        file.append(0x0A)
        return file
    }

    @Test(arguments: [nil, "anna"])
    func importsAllDataSoThatASecondExportIsEqual(_ subject: String?) async throws {
        let user = try await ExportedUser(subject: subject)
        let first = try await user.export()
        let kinds = Set(lines(first).compactMap { try? JSONBody.decode(KindOnly.self, from: $0, depth: 9).kind })
        #expect(
            kinds == [
                "header", "revision", "device", "scene", "archive", "change", "registration", "item", "decision", "end",
            ])
        let target = try await target(user.fixture)
        let result = try await ExportedUser.load(first, into: target)
        #expect(result.user == user.owner.user && result.subject?.text == subject)
        #expect((result.linkCode == nil) == (subject != nil))
        let owner = UserKey(app: target.app.id, user: result.user)
        let second = try await ExportedUser.export(owner, from: target)
        #expect(lines(second).dropFirst() == lines(first).dropFirst())
        let listed = try await target.memory.users(
            of: target.app.id, by: .bytes, after: nil, limit: 9, matching: UserConditions())
        #expect(listed.map { Int($0.position.key) } == listed.map(\.overview.bytes))
        #expect(listed.first?.overview.user == owner.user)
        let summary = try #require(try await target.service.exports.summary(of: owner))
        #expect(summary.createdAt == target.clock.now() && summary.devices.count == 2)
        #expect(summary.devices.allSatisfy { $0.isSignedIn == (subject != nil) })
    }

    @Test func importsTheMembersOfAnExportOf0_1_0() async throws {
        let user = try await ExportedUser(subject: "anna")
        let first = try await user.export()
        let old = lines(first).map { line in
            let text = String(decoding: line, as: UTF8.self)
            return Array(
                text.replacing("\"isViewOnly\":", with: "\"isGlance\":")
                    .replacing("\"screenshot\":{", with: "\"snapshot\":{").utf8)
        }
        for name in ["isGlance", "snapshot"] {
            #expect(old.contains { String(decoding: $0, as: UTF8.self).contains("\"\(name)\":") }, "\(name)")
        }
        let target = try await target(user.fixture)
        let result = try await ExportedUser.load(file(old), into: target)
        let second = try await ExportedUser.export(UserKey(app: target.app.id, user: result.user), from: target)
        #expect(lines(second).dropFirst() == lines(first).dropFirst())
    }

    @Test func keepsSinceWhenAnIdentifierNamesItsItem() async throws {
        let user = try await ExportedUser(subject: "anna")
        let first = try await user.export()
        let target = try await target(user.fixture)
        let result = try await ExportedUser.load(first, into: target)
        let second = try await ExportedUser.export(UserKey(app: target.app.id, user: result.user), from: target)
        for file in [first, second] {
            let items = lines(file).compactMap { try? JSONBody.decode(ItemTimes.self, from: $0, depth: 9) }
            let item = try #require(items.first { $0.identifier == "q2" })
            let since = try #require(item.since)
            #expect(item.isReuse == true && since < item.changedAt)
            // The other items have the identifiers from the start, and never changed.
            let other = try #require(items.first { $0.identifier == "q1" })
            #expect(other.since == nil && other.isReuse == nil)
        }
    }

    @Test func keepsAnImportedUserIfNoLinkCodeCanBeMade() async throws {
        let user = try await ExportedUser(subject: nil)
        let file = try await user.export()
        let target = try await target(user.fixture)
        // `create(_:)` stores a link code. The app was created before.
        target.store.fail(with: .full, in: "create(_:)")
        let result = try await ExportedUser.load(file, into: target)
        #expect(result.linkCode == nil && result.linkCodeFault?.isEmpty == false)
        let owner = UserKey(app: target.app.id, user: result.user)
        #expect(lines(try await ExportedUser.export(owner, from: target)).dropFirst() == lines(file).dropFirst())
    }

    @Test func bringsAnErasedUserBackForGood() async throws {
        let user = try await ExportedUser(subject: "anna")
        let file = try await user.export()
        try await user.fixture.service.accounts.erase(user.owner)
        _ = try await ExportedUser.load(file, into: user.fixture)
        #expect(try await user.fixture.service.accounts.resumeErasures() == 0)
        #expect(lines(try await user.export()).dropFirst() == lines(file).dropFirst())
        // The former token is not valid, and a device that signs in joins the user.
        #expect(try await user.fixture.send(.get, "/v1/devices/self", token: user.phone.token).status == 401)
        let member = try await user.fixture.join()
        #expect(try await user.fixture.signIn(member, as: "anna").status == 200)
        let latest = try await user.fixture.send(
            .get, "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42&systemVersion=17.4",
            token: member.token)
        #expect(latest.status == 200)
    }

    @Test func letsADeviceJoinWithTheLinkCode() async throws {
        let user = try await ExportedUser()
        let target = try await target(user.fixture)
        let code = try #require(try await ExportedUser.load(try await user.export(), into: target).linkCode)
        let body = ["app": target.app.publishableKey, "idiom": "phone", "linkCode": code]
        let registered = try await target.send(.post, "/v1/devices", json: body).json(Wire.Registered.self)
        #expect(registered.user == user.phone.user)
        let places = try await target.send(.get, "/v1/places?idiom=phone", token: registered.token)
        #expect(places.text.contains(ServerFixture.id(5)))
    }

    @Test func importsAnEmptyUser() async throws {
        let (fixture, member) = try await ServerFixture().withDevice()
        let owner = UserKey(app: fixture.app.id, user: try #require(UserID(member.user)))
        let file = try await ExportedUser.export(owner, from: fixture)
        #expect(lines(file).count == 5)
        let target = try await target(fixture)
        _ = try await ExportedUser.load(file, into: target)
        let second = try await ExportedUser.export(UserKey(app: target.app.id, user: owner.user), from: target)
        #expect(lines(second).dropFirst() == lines(file).dropFirst())
    }

    @Test func refusesAUserOrASubjectOrADeviceThatExists() async throws {
        let user = try await ExportedUser(subject: "anna")
        let file = try await user.export()
        var refusal = await #expect(throws: ServiceError.self) { try await ExportedUser.load(file, into: user.fixture) }
        #expect(refusal?.code == .importRefused)
        #expect(lines(try await user.export()).dropFirst() == lines(file).dropFirst())
        let target = try await target(user.fixture)
        let other = try await target.join()
        #expect(try await target.signIn(other, as: "anna").status == 200)
        refusal = await #expect(throws: ServiceError.self) { try await ExportedUser.load(file, into: target) }
        #expect(refusal?.code == .importRefused)
        #expect(try await target.service.devices.users(of: target.app.id, after: nil, limit: 9).count == 1)
        // The user's device has moved to another user before the user was erased.
        let anonymous = try await ExportedUser()
        let saved = try await anonymous.export()
        let fixture = anonymous.fixture
        let keeper = try await fixture.join()
        let code = try await fixture.send(.post, "/v1/link-codes", token: keeper.token).json(Wire.LinkCode.self).code
        _ = try await fixture.send(.post, "/v1/devices/self/link", token: anonymous.phone.token, json: ["code": code])
        try await fixture.service.accounts.erase(anonymous.owner)
        refusal = await #expect(throws: ServiceError.self) { try await ExportedUser.load(saved, into: fixture) }
        #expect(refusal?.code == .importRefused && refusal?.message.contains(anonymous.phone.device) == true)
        #expect(try await fixture.service.exports.summary(of: anonymous.owner) == nil)
    }

    @Test func replacesOnlyWhatAnInterruptedImportLeftBehind() async throws {
        let user = try await ExportedUser()
        let file = try await user.export()
        let target = try await target(user.fixture)
        let owner = UserKey(app: target.app.id, user: user.owner.user)
        let rest = ImportedUser(
            owner: owner, createdAt: target.clock.now(), revision: Revision(rawValue: 9),
            prunedThrough: Revision(rawValue: 0))
        _ = try await target.store.intercepted.begin(rest)
        let refusal = await #expect(throws: ServiceError.self) { try await ExportedUser.load(file, into: target) }
        #expect(refusal?.message.contains("--replace") == true)
        _ = try await ExportedUser.load(file, into: target, replaces: true)
        let second = try await ExportedUser.export(owner, from: target)
        #expect(lines(second).dropFirst() == lines(file).dropFirst())
        await #expect(throws: ServiceError.self) { try await ExportedUser.load(file, into: target, replaces: true) }
    }

    @Test func removesTheUserAgainIfTheImportFails() async throws {
        let user = try await ExportedUser()
        var lines = lines(try await user.export())
        // A repeated item, which the store notices.
        let index = try #require(lines.firstIndex { String(decoding: $0, as: UTF8.self).contains(#""p1""#) })
        lines.insert(lines[index], at: index)
        let target = try await target(user.fixture)
        let refused = try file(lines)
        let error = await #expect(throws: ServiceError.self) { try await ExportedUser.load(refused, into: target) }
        #expect(error?.code == .importInvalid && error?.message.contains("repeated") == true)
        #expect(try await target.service.devices.users(of: target.app.id, after: nil, limit: 9).isEmpty)
    }

    @Test func keepsItemsWhoseIdentifiersDifferOnlyInTheirUnicodeForm() async throws {
        let user = try await ExportedUser()
        var lines = lines(try await user.export())
        let index = try #require(lines.firstIndex { String(decoding: $0, as: UTF8.self).contains(#""p1""#) })
        let item = String(decoding: lines[index], as: UTF8.self)
        lines[index] = Array(item.replacing("\"p1\"", with: "\"e\u{301}\"").utf8)
        lines.insert(Array(item.replacing("\"p1\"", with: "\"\u{E9}\"").utf8), at: index)
        let target = try await target(user.fixture)
        _ = try await ExportedUser.load(try file(lines), into: target)
        let owner = UserKey(app: target.app.id, user: user.owner.user)
        let again = self.lines(try await ExportedUser.export(owner, from: target))
        for line in lines[index...index + 1] { #expect(again.contains(line)) }
    }

    /// A change of the lines of an export, after which the import must refuse it.
    enum Damage: CaseIterable {
        case truncated, cutInLine, noEnd, changedByte, linesSwapped, lineAfterEnd, twoEnds, longLine, notJSON, deep
        case unknownKind, unknownWord, otherApp, otherFormat, future, archiveBytes, archiveDigest, archiveUnreadable
        case base64, sceneName, repeatedArchive, revision, orphanItem, manyAliases, screenshot, repeatedDevice, zeroUser
        case negativeOrder, largeOrder, negativeRevision, negativeSequence, largeCursor, outcomeStep, summaryCount
    }

    @Test(arguments: Damage.allCases) func refusesADamagedFileAndStoresNothing(_ damage: Damage) async throws {
        let user = try await ExportedUser()
        let whole = try await user.export()
        let target = try await target(user.fixture)
        let damaged = try damaged(whole, damage)
        let error = await #expect(throws: ServiceError.self) { try await ExportedUser.load(damaged, into: target) }
        #expect(error?.code == (damage == .otherApp ? .importRefused : .importInvalid), "\(String(describing: error))")
        #expect(error?.message.isEmpty == false)
        #expect(try await target.service.devices.users(of: target.app.id, after: nil, limit: 9).isEmpty)
    }

    /// Damages an export. The end is made to fit the lines if the damage concerns the contents of lines.
    private func damaged(_ whole: [UInt8], _ damage: Damage) throws -> [UInt8] {
        var lines = lines(whole)
        func index(_ kind: String) throws -> Int {
            try #require(lines.firstIndex { String(decoding: $0, as: UTF8.self).contains("\"kind\":\"\(kind)\"") })
        }
        func replace(_ kind: String, _ old: String, _ new: String) throws {
            let index = try index(kind)
            let text = String(decoding: lines[index], as: UTF8.self)
            let changed = text.replacing(old, with: new, maxReplacements: 1)
            #expect(changed != text, "\(text.prefix(300))")
            lines[index] = Array(changed.utf8)
        }
        func replaceArchive(_ change: (inout ExportLine.Archive) throws -> Void) throws {
            let index = try index("archive")
            guard case .archive(var archive) = try JSONBody.decode(ExportLine.self, from: lines[index], depth: 9)
            else { return }
            try change(&archive)
            lines[index] = try JSONBody.encode(ExportLine.archive(archive))
        }
        switch damage {
        case .truncated: return Array(whole.prefix(whole.count / 2))
        case .cutInLine: return Array(whole.dropLast())
        case .noEnd: return Array(lines.dropLast().joined(separator: [0x0A])) + [0x0A]
        case .changedByte:
            return Array(String(decoding: whole, as: UTF8.self).replacing("iPhone16,1", with: "iPhone16,2").utf8)
        case .linesSwapped:
            let index = try index("change")
            lines.swapAt(index, index + 1)
            return Array(lines.joined(separator: [0x0A])) + [0x0A]
        case .lineAfterEnd: return whole + Array("{}\n".utf8)
        case .twoEnds: return whole + lines[lines.count - 1] + [0x0A]
        case .longLine: lines[1] += [UInt8](repeating: 0x20, count: ExportReader.longestLine)
        case .notJSON: lines[1].append(0x2C)
        case .deep: lines[1] = Array((String(repeating: "[", count: 100_000)).utf8)
        case .unknownKind: try replace("device", "\"device\"", "\"tablet\"")
        case .unknownWord: try replace("device", "\"idiom\":\"", "\"idiom\":\"watch")
        case .otherApp: try replace("header", "com.example.photos", "com.example.other")
        case .otherFormat: try replace("header", "\"format\":1", "\"format\":2")
        case .future: try replace("device", "\"createdAt\":\"2025", "\"createdAt\":\"2035")
        case .archiveBytes: try replaceArchive { $0.bytes = Base64.encode(try Samples.archive(99)) }
        case .archiveDigest: try replaceArchive { $0.digest = String(repeating: "0", count: 64) }
        case .archiveUnreadable:
            try replaceArchive { archive in
                archive.bytes = Base64.encode([1, 2, 3])
                archive.size = 3
                archive.digest = SystemHashing().sha256([1, 2, 3]).hexadecimal
            }
        case .base64: try replaceArchive { $0.bytes = "A" + $0.bytes.dropFirst() + "====" }
        case .sceneName: try replace("scene", "\"editor\"", "\"../editor\"")
        case .repeatedArchive: lines.insert(lines[try index("archive")], at: try index("archive"))
        case .revision: try replace("revision", "\"revision\":", "\"revision\":9223372036854775")
        case .orphanItem: lines.remove(at: try index("registration"))
        case .manyAliases:
            let aliases = (0..<33).map { "\"\($0)\"" }.joined(separator: ",")
            try replace("item", "\"aliases\":[", "\"aliases\":[\(aliases),")
        case .screenshot:
            try replaceArchive { $0.screenshot = .init(format: "jpeg", bytes: Base64.encode(Samples.png)) }
        case .repeatedDevice: lines.insert(lines[try index("device")], at: try index("device"))
        case .negativeOrder: try replaceArchive { $0.orderRevision = .min }
        case .largeOrder: try replaceArchive { ($0.revision, $0.orderRevision) = (1 << 53, 1 << 53) }
        case .negativeRevision: try replaceArchive { $0.revision = -1 }
        case .negativeSequence: try replaceArchive { $0.sequence = -2 }
        case .largeCursor: try replace("registration", "\"cursor\":", "\"cursor\":9007199254740993")
        case .outcomeStep:
            try replaceArchive { archive in
                archive.outcomes = [
                    ExportLine.Outcome(
                        device: archive.device, result: Wire.Outcome.Result(rawValue: "restored"),
                        context: archive.context, step: .max, reportedAt: archive.capturedAt)
                ]
            }
        case .summaryCount: try replaceArchive { $0.objectCount = .max }
        case .zeroUser:
            var text = String(decoding: lines[0], as: UTF8.self)
            text.replace(#/"user":"[^"]*"/#, with: "\"user\":\"00000000-0000-0000-0000-000000000000\"")
            lines[0] = Array(text.utf8)
        }
        return try file(lines)
    }

    private struct KindOnly: Decodable {
        var kind: String
    }

    /// The times of an exported item. Their texts are in the order of the times.
    private struct ItemTimes: Decodable {
        var identifier: String
        var changedAt: String
        var since: String?
        var isReuse: Bool?
    }
}
