import PlacekeeperCryptography
import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests of a key file that changes while the service runs.
@Suite(.onOwnThreads) struct KeyFileTests {
    private let service: RunningService
    private let path: String

    init() throws {
        service = try RunningService()
        _ = try service.createApp()
        path = service.data.path + "/keys.json"
        try replace(with: Self.keys)
        let (end, _, error) = try run("app", "keys", "com.example.photos", "--file", path)
        #expect(end == .exit(0), "\(error)")
    }

    private static let keys =
        #"{"keys":[{"kty":"oct","kid":"a","k":"YSBzZWNyZXQgb2YgYXQgbGVhc3QgdGhpcnR5LXR3byBieXRlcw"}]}"#

    private func run(_ words: String...) throws -> ChildProcess.Outcome {
        try ChildProcess(words + (words[1] == "check-keys" ? [] : ["--data", service.data.path])).outcome()
    }

    /// Replaces the file as the timer does: writes another file and renames it.
    private func replace(with text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path + ".new"))
        try #require(chmod(path + ".new", 0o600) == 0)
        try #require(rename(path + ".new", path) == 0)
    }

    /// Requests /readyz until its text has an end. The service checks the file every few seconds.
    private func waitForReadiness(ending end: String) throws {
        let deadline = ContinuousClock.now + .seconds(600)
        var reply = try service.request("GET", "/readyz")
        while !reply.text.hasSuffix(end), ContinuousClock.now < deadline {
            reply = try service.request("GET", "/readyz")
        }
        #expect(reply.text.hasSuffix(end), "\(reply.text)")
        #expect(reply.status == 200)
    }

    @Test func reportsAFileThatCannotBeUsedUntilItIsReplaced() throws {
        let start = "the key file of com.example.photos cannot be used: "
        // After this exchange the service has certainly read the usable file once.
        try replace(with: "[]")
        try waitForReadiness(ending: "\nwarning: \(start)it is not a JSON object\n")
        try replace(with: Self.keys)
        #expect(service.process.line(after: "placekeeper: the key file of com.example.photos is used again") == "")
        for (content, reason) in [
            (String(Self.keys.dropLast(20)), "it is not valid JSON at byte \(Self.keys.utf8.count - 20)"),
            (String(repeating: " ", count: 300_000), "it has more than 262144 bytes"),
        ] {
            try replace(with: content)
            try waitForReadiness(ending: "\nwarning: \(start)\(reason)\n")
            #expect(service.process.line(after: "placekeeper: \(start)\(reason); its last keys stay in use") == "")
        }
        try replace(with: Self.keys)
        try waitForReadiness(ending: "ok\n\(TestDatabase.library)\n")
        #expect(!service.process.standardError.contains("YSBz"))
    }

    @Test func listsTheKeysWithoutTheirSecrets() throws {
        let (end, output, _) = try run("app", "keys", "com.example.photos")
        #expect(end == .exit(0))
        #expect(output.contains("HS256") && output.contains("file: \(path)") && !output.contains("YSBz"))
    }

    @Test func checksAFileWithoutADatabase() throws {
        #expect(try run("app", "check-keys", path).end == .exit(0))
        try replace(with: #"{"keys":{}}"#)
        let (end, output, error) = try run("app", "check-keys", path)
        #expect(end == .exit(1) && output.isEmpty && error.contains("cannot be used"))
        // A service accepts an empty set, which withdraws the keys of the file.
        try replace(with: #"{"keys":[]}"#)
        let empty = try run("app", "check-keys", path)
        #expect(empty.end == .exit(0) && empty.output.hasPrefix("0 keys"), "\(empty.error)")
        #expect(try run("app", "keys", "com.example.photos", "--file", path).end == .exit(0))
    }

    @Test func saysWhyATokenIsAcceptedOrRefused() throws {
        func check(_ token: String, _ words: String...) throws -> (end: ChildProcess.End, output: String) {
            let input = service.data.path + "/token"
            try Data("\(token)\n".utf8).write(to: URL(filePath: input))
            let process = try ChildProcess(
                ["app", "check-token", "com.example.photos", "--data", service.data.path] + words, input: input)
            return (process.wait(), process.standardOutput)
        }
        let accepted = try check(token(#"{"sub":"anna","exp":33333333333}"#))
        #expect(accepted.end == .exit(0) && accepted.output.contains("anna"))
        let expired = try check(token(#"{"sub":"anna","exp":1}"#), "--json")
        #expect(expired.end == .exit(1) && expired.output.contains(#""reason" : "expired""#), "\(expired.output)")
        let broken = try check("no token")
        #expect(broken.end == .exit(1) && broken.output.hasPrefix("refused: "))
    }

    @Test func findsTheEntriesOfTheAuditLogByTheUserOfAnAccount() throws {
        struct Created: Decodable { var publishableKey: String }
        struct Entry: Decodable { var action: String }
        let app = try JSONDecoder().decode(
            [Created].self, from: Data(try run("app", "list", "--json").output.utf8))
        let device = try service.register(app: try #require(app.first).publishableKey, idiom: "phone")
        func audit(_ words: String...) throws -> [String] {
            let process = try ChildProcess(
                ["audit", "com.example.photos", "--json", "--data", service.data.path] + words)
            #expect(process.wait() == .exit(0))
            return try JSONDecoder().decode([Entry].self, from: Data(process.standardOutput.utf8)).map(\.action)
        }
        #expect(try run("user", "show", "com.example.photos", "--user", device.user).end == .exit(0))
        #expect(try audit("--user", device.user) == ["shown"])
        // The service uses the new key within a second.
        let body = "{\"token\": \"\(token(#"{"sub":"anna","exp":33333333333}"#))\"}"
        let deadline = ContinuousClock.now + .seconds(600)
        var status = 0
        while status != 200, ContinuousClock.now < deadline {
            status = try service.request("POST", "/v1/devices/self/sign-in", token: device.token, json: body).status
        }
        #expect(status == 200)
        #expect(try audit("--subject", "anna") == ["signed-in"])
        #expect(try audit("--user", device.user) == ["signed-in", "shown"])
    }

    /// A token that is signed with the secret of `keys`.
    private func token(_ claims: String) -> String {
        let secret = Array("a secret of at least thirty-two bytes".utf8)
        let signed = [#"{"alg":"HS256","kid":"a"}"#, claims].map { base64URL(Array($0.utf8)) }.joined(separator: ".")
        return signed + "." + base64URL(HMAC.sha256(Array(signed.utf8), key: secret))
    }

    private func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
