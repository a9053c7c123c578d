import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct SecureOptInTests {
    /// An app that answers the secure opt-in methods, and the older methods if `olderAnswer` is set.
    private class SecureApp: ApplicationLifeCycleDelegate {
        let environment = RestorationEnvironment()
        let screen = Screen("Root")
        var secureAnswer = true
        var olderAnswer: Bool?
        var roots: [any RestorableViewController] { [screen] }

        func loadInterface() {}
        func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool { secureAnswer }
        func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool { secureAnswer }
        func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { olderAnswer ?? false }
        func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { olderAnswer ?? false }
    }

    /// An app that answers the secure opt-in methods with `NSCoder`.
    private final class CodingApp: ApplicationLifeCycleDelegate, NSCoderRestorationDelegate {
        let screen = Screen("Root")
        private(set) var version: Int?
        var roots: [any RestorableViewController] { [screen] }

        func loadInterface() {}
        func shouldSaveSecureApplicationState(_ coder: NSCoder) -> Bool {
            coder.encode(11, forKey: "MyAppVersion")
            return true
        }
        func shouldRestoreSecureApplicationState(_ coder: NSCoder) -> Bool {
            version = coder.decodeInteger(forKey: "MyAppVersion")
            return true
        }
    }

    private let storage = InMemoryArchiveStorage()

    private func life(
        _ app: any ApplicationLifeCycleDelegate, _ environment: RestorationEnvironment = RestorationEnvironment()
    ) -> RestorableApplication {
        RestorableApplication(
            app, environment: environment, storage: storage,
            configuration: .init(device: RestorationContext(idiom: .phone)) { 800_000_000 })
    }

    private func save(_ app: any ApplicationLifeCycleDelegate) throws -> StateArchive? {
        let life = life(app)
        life.launch()
        return try life.saveState()
    }

    @Test("seed 77 · an app can opt in with the secure methods alone", .tags(.seed))
    func optsIn() throws {
        let app = SecureApp()
        app.screen.text = "draft"
        #expect(try save(app) != nil)
        let next = SecureApp()
        guard case .restored = life(next).launch() else {
            Issue.record("Nothing was restored.")
            return
        }
        #expect(next.screen.text == "draft")
    }

    @Test("seed 77 · an app can opt in with NSCoder; shouldRestore reads the values of shouldSave", .tags(.seed))
    func optsInWithNSCoder() throws {
        let app = CodingApp()
        app.screen.text = "draft"
        #expect(try save(app) != nil)
        let next = CodingApp()
        life(next).launch()
        #expect(next.version == 11)
        #expect(next.screen.text == "draft")
    }

    @Test("seed 77 · if an app answers both, the secure answer counts", .tags(.seed))
    func prefersTheSecureAnswer() throws {
        let app = SecureApp()
        app.screen.text = "draft"
        app.olderAnswer = true
        app.secureAnswer = false
        #expect(try save(app) == nil)
        #expect(storage.archive == nil)
        app.secureAnswer = true
        app.olderAnswer = false
        #expect(try save(app) != nil)
        let next = SecureApp()
        next.olderAnswer = true
        next.secureAnswer = false
        #expect(life(next).launch() == .declined)
        #expect(next.screen.text == "")
    }

    @Test("seed 77 · only listed classes make objects and copies, and the log names a refused class", .tags(.seed))
    func refusesUnlistedClasses() throws {
        var filter: SecureFilter?
        let root = Scripted("Root")
        root.save = { RestorationCoder($0).encode(SecureFilter("blur"), forKey: "filter") }
        root.restore = { filter = RestorationCoder($0).decodeObject(forKey: "filter") as? SecureFilter }
        let app = TestApp(root, LookUpTests.Made("Made", text: "a"))
        let archive = try app.save()
        #expect(try app.restore(archive).missing == ["Made"])
        #expect(filter == nil)
        let refusals = app.journal.events.map(\.description)
        #expect(
            refusals.contains(
                "PlacekeeperRuntimeTests.SecureFilter could not restore its state: the app has not listed a class of that name"
            ))
        #expect(
            refusals.contains(
                "Made is missing: there is no restoration class PlacekeeperRuntimeTests.LookUpTests.Made in the environment"
            ))

        app.environment.addCopies(ofSecureCoding: SecureFilter.self)
        app.environment.add(LookUpTests.Made.self)
        #expect(try app.restore(archive).missing == [])
        #expect(filter?.name == "blur")
    }

    @Test("seed 77 · a decoding call refuses objects of classes that it does not allow, at any depth", .tags(.seed))
    func refusesClassesThatACallDoesNotAllow() throws {
        let root = Scripted("Root")
        let app = TestApp(root)
        app.environment.addCopies(ofSecureCoding: SecureFilter.self)
        root.save = {
            let coder = RestorationCoder($0)
            coder.encode(SecureFilter("blur"), forKey: "filter")
            coder.encode([["name", 7, Date(timeIntervalSinceReferenceDate: 5)]], forKey: "plain")
            coder.encode([["filters": [SecureFilter("mono")]]], forKey: "nested")
            coder.encode(NSSet(array: [SecureFilter("sepia")]), forKey: "set")
        }
        root.restore = {
            let coder = RestorationCoder($0)
            #expect(coder.decodeObject(of: [NSString.self, NSURL.self], forKey: "filter") == nil)
            #expect((coder.decodeObject(of: [NSArray.self], forKey: "plain") as? [[Any]])?[0].count == 3)
            #expect(coder.decodeObject(of: [NSArray.self], forKey: "nested") == nil)
            #expect(coder.decodeObject(of: [NSSet.self], forKey: "set") == nil)
            let nested = coder.decodeObject(of: [NSArray.self, SecureFilter.self], forKey: "nested")
            #expect((nested as? [[String: [SecureFilter]]])?[0]["filters"]?[0].name == "mono")
            let set = coder.decodeObject(of: [NSSet.self, SecureFilter.self], forKey: "set") as? NSSet
            #expect((set?.anyObject() as? SecureFilter)?.name == "sepia")
        }
        try app.restore(app.save())
        let refused = app.journal.events.compactMap { event -> String? in
            if case .refusedClass(_, let key, let name) = event { "\(key): \(name)" } else { nil }
        }
        #expect(refused == ["filter", "nested", "set"].map { "\($0): PlacekeeperRuntimeTests.SecureFilter" })
    }
}
