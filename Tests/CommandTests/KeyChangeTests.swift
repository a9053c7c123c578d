import PlacekeeperCore
import PlacekeeperCryptography
import PlacekeeperService
import PlacekeeperSystem
import PlacekeeperTokens
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite final class KeyChangeTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
    private static let secret = "a secret of at least thirty-two bytes"
    private static let encodedSecret = Base64URL.encode(Array(secret.utf8))
    static let jwk = #"{"kty":"oct","kid":"one","k":"\#(encodedSecret)"}"#
    static let publicJWK =
        #"{"kty":"EC","crv":"P-256","x":"5s3lpLXh9MBts3QnvgxoazhgFB69jIYEcYXZFK8E018","#
        + #""y":"uTfVe7-LTV058A1YzNlcCnE7qoWhwlSZUWxyIOv6l54"}"#
    static let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE5s3lpLXh9MBts3QnvgxoazhgFB69
        jIYEcYXZFK8E01+5N9V7v4tNXTnwDVjM2VwKcTuqhaHCVJlRbHIg6/qXng==
        -----END PUBLIC KEY-----

        """

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ text: String, mode: mode_t = 0o600, name: String = "key") throws -> String {
        let path = folder.appending(path: name).path
        try Data(text.utf8).write(to: URL(filePath: path))
        chmod(path, mode)
        return path
    }

    private func apply(
        _ words: String..., to settings: inout App.Settings.SignIn
    ) throws(CommandFailure) {
        guard case .run(_, let arguments) = try Command.parser.parse(["app", "keys", "com.example.photos"] + words)
        else {
            throw CommandFailure(.usage, "the line asks for help")
        }
        _ = try KeyChange(arguments).apply(to: &settings)
    }

    private func keys(_ settings: App.Settings.SignIn) throws -> [JSONWebKey] {
        try JSONWebKeySet(members: settings.keys).keys
    }

    @Test func addsAndRemovesKeys() throws {
        var settings = App.Settings.SignIn()
        try apply("--add", try file(Self.jwk), to: &settings)
        try apply("--add", try file(Self.pem, mode: 0o644), "--kid", "two", to: &settings)
        #expect(try keys(settings).map(\.identifier) == ["one", "two"])
        #expect(try keys(settings).map(\.algorithm) == [.hs256, .es256])
        try apply("--remove", "one", to: &settings)
        #expect(try keys(settings).map(\.identifier) == ["two"])
        let failure = #expect(throws: CommandFailure.self) { try apply("--remove", "one", to: &settings) }
        #expect(failure?.exit == .failure)
    }

    @Test func replacesAKeyInOneStep() throws {
        var settings = App.Settings.SignIn()
        try apply("--add", try file(Self.jwk), to: &settings)
        try apply("--remove", "one", "--add", try file(Self.publicJWK), "--kid", "one", to: &settings)
        #expect(try keys(settings).map(\.algorithm) == [.es256])
    }

    @Test func identifiesAPublicKeyByItsThumbprintByDefault() throws {
        var settings = App.Settings.SignIn()
        try apply("--add", try file(Self.pem), to: &settings)
        let key = try #require(try keys(settings).first)
        #expect(key.identifier == key.thumbprint)
        let failure = #expect(throws: CommandFailure.self) {
            try apply("--add", try file(Self.publicJWK), to: &settings)
        }
        #expect(failure?.message.contains("has this key already") == true)
        try apply("--remove", key.thumbprint, to: &settings)
        #expect(settings.keys.isEmpty)
    }

    @Test func usesTheExactBytesOfASecret() throws {
        var settings = App.Settings.SignIn()
        let bytes = [UInt8](repeating: 0x0A, count: 40)
        try apply(
            "--add-secret", try file(String(decoding: bytes, as: UTF8.self) + "\u{7}"), "--kid", "s", to: &settings)
        guard case .secret(bytes + [7])? = try keys(settings).first?.material else {
            Issue.record("the secret is different")
            return
        }
        #expect(try keys(settings).first?.identifier == "s")
    }

    @Test(arguments: ["a secret of at least thirty-two bytes\n", "too short", "", pem])
    func rejectsUnsuitableSecrets(text: String) throws {
        var settings = App.Settings.SignIn()
        let path = try file(text)
        let failure = #expect(throws: CommandFailure.self) { try apply("--add-secret", path, to: &settings) }
        #expect(failure?.exit == .failure)
        #expect(text.isEmpty || failure?.message.contains(text) == false)
        #expect(settings == App.Settings.SignIn())
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o644, 0o666])
    func rejectsASecretThatOtherUsersMayRead(mode: Int) throws {
        var settings = App.Settings.SignIn()
        for (option, text) in [("--add-secret", Self.secret), ("--add", Self.jwk)] {
            let path = try file(text, mode: mode_t(mode))
            let failure = #expect(throws: CommandFailure.self) { try apply(option, path, to: &settings) }
            #expect(failure?.message.contains("other users may read the secret") == true)
        }
        let keyFile = try file(#"{"keys":[\#(Self.jwk)]}"#, mode: mode_t(mode))
        let failure = #expect(throws: CommandFailure.self) { try apply("--file", keyFile, to: &settings) }
        #expect(failure?.message.contains("chmod 600") == true)
        #expect(settings == App.Settings.SignIn())
    }

    @Test(arguments: ["--add-secret", "--add"]) func doesNotRepeatASecretThatIsGivenInPlaceOfAFile(option: String) {
        var settings = App.Settings.SignIn()
        let failure = #expect(throws: CommandFailure.self) { try apply(option, Self.encodedSecret, to: &settings) }
        #expect(failure?.message.contains(Self.encodedSecret) == false)
        #expect(failure?.message.contains("name of a file") == true)
    }

    @Test func readsOnlyRegularFilesAndNeverWaits() throws {
        let pipe = folder.appending(path: "pipe").path
        mkfifo(pipe, 0o600)
        var settings = App.Settings.SignIn()
        for path in [pipe, folder.path, "/dev/zero", folder.path + "/missing"] {
            #expect(throws: CommandFailure.self) { try apply("--add", path, to: &settings) }
            #expect(throws: CommandFailure.self) { try apply("--file", path, to: &settings) }
        }
    }

    @Test(arguments: [
        ["--add", "FILE", "--add-secret", "FILE"], ["--kid", "x"], ["--file", "relative.json"],
        ["--file", "FILE", "--no-file"],
    ])
    func rejectsContradictoryOptions(words: [String]) throws {
        let path = try file(#"{"keys":[\#(Self.jwk)]}"#)
        let line = ["app", "keys", "com.example.photos"] + words.map { $0 == "FILE" ? path : $0 }
        guard case .run(_, let arguments) = try Command.parser.parse(line) else { return }
        let failure = #expect(throws: CommandFailure.self) { try KeyChange(arguments) }
        #expect(failure?.exit == .usage)
    }

    @Test(arguments: [
        "", "{}", "x", #"{"keys":[]}"#, "-----BEGIN PRIVATE KEY-----\nAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----\n", "-----BEGIN PUBLIC KEY-----",
    ])
    func rejectsFilesWithoutKeys(text: String) throws {
        var settings = App.Settings.SignIn()
        let path = try file(text)
        #expect(throws: CommandFailure.self) { try apply("--add", path, to: &settings) }
        #expect(settings == App.Settings.SignIn())
    }

    @Test func setsAndRemovesTheKeyFile() throws {
        var settings = App.Settings.SignIn()
        let path = try file(#"{"keys":[\#(Self.jwk)]}"#)
        try apply("--file", path, to: &settings)
        #expect(settings.keysFile == path)
        #expect(KeysReport(settings).keys.map(\.source) == [.file])
        try apply("--no-file", to: &settings)
        #expect(settings == App.Settings.SignIn())
        let broken = try file(#"{"keys":[{}]}"#, name: "broken")
        #expect(throws: CommandFailure.self) { try apply("--file", broken, to: &settings) }
    }

    @Test func printsKeysWithoutSecrets() throws {
        var settings = App.Settings.SignIn()
        try apply("--add", try file(Self.jwk), to: &settings)
        settings.keysFile = try file(#"{"keys":[\#(Self.publicJWK)]}"#)
        let report = KeysReport(settings)
        #expect(report.keys.map(\.kid) == ["one", nil])
        #expect(report.keys.map(\.algorithm) == ["HS256", "ES256"])
        var app = App(
            id: .random(SystemRandom()), bundleIdentifier: "com.example.photos", publishableKey: "pk_",
            createdAt: Timestamp(milliseconds: 0))
        app.settings.signIn = settings
        for json in [try JSONEncoder().encode(report), try JSONEncoder().encode(AppReport(app))] {
            let text = String(decoding: json, as: UTF8.self)
            #expect(text.contains("one"))
            #expect(!text.contains(Self.encodedSecret) && !text.contains("\"k\""))
        }
        #expect(!report.text.contains(Self.encodedSecret))
    }
}
