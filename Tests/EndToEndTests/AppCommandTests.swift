import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads) struct AppCommandTests {
    struct App: Decodable {
        struct Settings: Decodable { var restoration: String }
        var id: String
        var bundleIdentifier: String
        var publishableKey: String
        var settings: Settings
    }

    let data: TemporaryDirectory

    init() throws { data = try TemporaryDirectory() }

    func run(_ line: String...) throws -> ChildProcess.Outcome {
        try ChildProcess(line + ["--data", data.path]).outcome()
    }

    @Test func createsListsAndChangesApps() throws {
        let created = try run("app", "create", "com.example.photos", "--json")
        #expect(created.end == .exit(0))
        let app = try JSONDecoder().decode(App.self, from: Data(created.output.utf8))
        #expect(app.bundleIdentifier == "com.example.photos")
        #expect(app.publishableKey.hasPrefix("pk_"))

        #expect(try run("app", "list").output.contains(app.publishableKey))
        let changed = try run("app", "policy", "com.example.photos", "--set", "restoration=offer", "--json")
        #expect(try JSONDecoder().decode(App.self, from: Data(changed.output.utf8)).settings.restoration == "offer")
        let listed = try JSONDecoder().decode([App].self, from: Data(run("app", "list", "--json").output.utf8))
        #expect(listed.map(\.id) == [app.id])
        #expect(listed.map(\.settings.restoration) == ["offer"])
        _ = try run("app", "policy", "com.example.photos", "--set", "restoration=offer")
        let audit = try run("audit", "com.example.photos").output
        #expect(audit.contains("restoration: auto to offer"))
        #expect(audit.split(separator: "\n").count { $0.contains("settings-changed") } == 1)
    }

    @Test(.onSQLite) func advisesOnTheOptionIfTheDirectoryHasNoDatabase() throws {
        let none = try run("app", "list")
        #expect(none.end == .exit(69))
        #expect(none.error.contains("give its directory with --data"))
    }

    @Test func advisesOnTheNextStepAfterAnError() throws {
        _ = try run("app", "create", "com.example.photos")
        let again = try run("app", "create", "com.example.photos")
        #expect(again.end == .exit(1))
        #expect(
            again.error == "placekeeper: an app already has this bundle identifier; app list shows its key\n")
        let unknown = try run("app", "policy", "com.example.fotos")
        #expect(unknown.end == .exit(1))
        #expect(unknown.error.contains("did you mean com.example.photos?"))
    }

    @Test func deletesAnAppWhoseNameIsConfirmed() throws {
        _ = try run("generate", "com.example.photos", "--users", "12", "--archives", "24")
        _ = try run("app", "create", "com.example.notes")
        for options in [[], ["--confirm", "photos"]] {
            let refused = try ChildProcess(
                ["app", "delete", "com.example.photos", "--data", data.path] + options
            ).outcome()
            #expect([.exit(1), .exit(2)].contains(refused.end), "\(refused)")
            #expect(refused.error.contains("--confirm"))
        }
        #expect(try run("app", "list").output.contains("com.example.photos"))
        let deleted = try run("app", "delete", "com.example.photos", "--confirm", "com.example.photos")
        #expect(deleted.end == .exit(0) && deleted.output.contains("deleted the app com.example.photos"), "\(deleted)")
        let listed = try run("app", "list").output
        #expect(!listed.contains("com.example.photos") && listed.contains("com.example.notes"))
        let audit = try run("audit", "--action", "app-deleted", "--json").output
        #expect(audit.contains("app-deleted") && audit.contains("com.example.photos"))
    }

    @Test func selectsEntriesOfTheAuditLog() throws {
        _ = try run("app", "create", "com.example.photos")
        _ = try run("app", "policy", "com.example.photos", "--set", "restoration=offer")
        _ = try run("users", "com.example.photos")
        struct Entry: Decodable {
            var action: String
            var actor: String
            var at: String
        }
        func entries(_ options: [String]) throws -> [Entry] {
            let outcome = try ChildProcess(
                ["audit", "com.example.photos", "--json", "--data", data.path] + options
            ).outcome()
            #expect(outcome.end == .exit(0), "\(outcome)")
            return try JSONDecoder().decode([Entry].self, from: Data(outcome.output.utf8))
        }
        func actions(_ options: String...) throws -> [String] { try entries(options).map(\.action) }
        let all = ["users-listed", "settings-changed", "app-created"]
        let first = try #require(try entries([]).first)
        #expect(try actions() == all)
        #expect(try actions("--kind", "changes") == Array(all.dropFirst()))
        #expect(try actions("--kind", "reads") == ["users-listed"])
        #expect(try actions("--action", "settings-changed") == ["settings-changed"])
        #expect(try actions("--actor", first.actor, "--day", String(first.at.prefix(10))) == all)
        #expect(try actions("--actor", "command nobody-of-this-name") == [])
        #expect(try actions("--day", "2020-02-29") == [])
        for wrong in [["--kind", "all"], ["--day", "2026-13-01"], ["--day", "today"], ["--action", "erase"]] {
            #expect(try ChildProcess(["audit", "--data", data.path] + wrong).outcome().end == .exit(2), "\(wrong)")
        }
    }

    @Test func rejectsInvalidBundleIdentifiers() throws {
        for wrong in ["", "photos and more", "com.example/photos"] {
            #expect(try run("app", "create", wrong).end == .exit(2))
        }
    }
}

@Suite(.onOwnThreads) struct UsersCommandTests {
    struct User: Decodable {
        var id: String
        var devices: Int
        var lastSeenAt: String?
    }

    @Test func listsAnAppsUsersInPages() throws {
        let service = try RunningService()
        func users(_ words: String...) throws -> ChildProcess.Outcome {
            try ChildProcess(["users", "com.example.photos"] + words + ["--data", service.data.path]).outcome()
        }
        func read(_ output: String) throws -> [User] { try JSONDecoder().decode([User].self, from: Data(output.utf8)) }

        let key = try service.createApp()
        #expect(try users().output == "none\n")
        let first = try service.register(app: key, idiom: "phone")
        let code = try service.linkCode(token: first.token)
        _ = try service.register(app: key, idiom: "pad", linkCode: code)
        for _ in 1...100 { _ = try service.register(app: key, idiom: "phone") }

        let page = try read(users("--json").output)
        #expect(page.count == 100)
        let end = try #require(page.last).id
        #expect(try users().output.hasSuffix("more users follow; continue with --after \(end)\n"))
        let rest = try users("--after", end)
        #expect(!rest.output.contains("more users"))
        let all = try page + read(users("--after", end, "--json").output)
        #expect(all.map(\.id) == all.map(\.id).sorted() && Set(all.map(\.id)).count == 101)
        #expect(all.first { $0.id == first.user }?.devices == 2)
        #expect(all.allSatisfy { $0.lastSeenAt != nil })

        let wrong = try users("--after", "nobody")
        #expect(wrong.end == .exit(2))
        #expect(wrong.error.contains("give an id"))
    }
}

@Suite(.onOwnThreads) struct ExternalChangeTests {
    @Test func appliesAChangedPolicyInTheRunningService() throws {
        let service = try RunningService()
        let key = try service.createApp()
        _ = try service.register(app: key, idiom: "phone")
        let changed = try ChildProcess.run(
            "app", "policy", "com.example.photos", "--set", "registration=linkOnly", "--data", service.data.path)
        #expect(changed.end == .exit(0))
        let body = "{\"app\": \"\(key)\", \"idiom\": \"phone\", \"name\": \"n\"}"
        // The service checks for changes once a second. The test repeats the request until the service notices the
        // change.
        let deadline = ContinuousClock.now + .seconds(600)
        var status = 201
        while status == 201, ContinuousClock.now < deadline {
            status = try service.request("POST", "/v1/devices", json: body).status
        }
        #expect(status == 403)
    }
}
