import PlacekeeperCore
import PlacekeeperCryptography
import PlacekeeperService
import PlacekeeperSystem
import PlacekeeperTokens
import Synchronization
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite final class TokenSignInTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
    /// The clock of the verifier, and the lines that it reported.
    private final class Surroundings: Sendable {
        let time = Mutex(Duration.zero)
        let lines = Mutex<[String]>([])
    }

    private let surroundings = Surroundings()
    private let now = Timestamp(milliseconds: 1_800_000_000_000)
    private var app = App(
        id: .random(SystemRandom()), bundleIdentifier: "com.example.photos", publishableKey: "pk_",
        createdAt: Timestamp(milliseconds: 0))

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var path: String { folder.appending(path: "keys.json").path }

    private func secret(_ name: String) -> [UInt8] { Array("\(name): a secret of at least thirty-two bytes".utf8) }

    private func jwk(_ name: String) -> [String: String] {
        ["kty": "oct", "alg": "HS256", "kid": name, "k": Base64URL.encode(secret(name))]
    }

    private func set(_ names: String...) throws -> Data { try JSONEncoder().encode(["keys": names.map(jwk)]) }

    private func token(_ name: String, subject: String = "anna") -> [UInt8] {
        let header = Base64URL.encode(Array(#"{"alg":"HS256","kid":"\#(name)"}"#.utf8))
        let claims = Base64URL.encode(Array(#"{"sub":"\#(subject)","exp":1800000600}"#.utf8))
        let code = HMAC.sha256(Array("\(header).\(claims)".utf8), key: secret(name))
        return Array("\(header).\(claims).\(Base64URL.encode(code))".utf8)
    }

    private func makeVerifier() -> TokenSignIn {
        let surroundings = surroundings
        return TokenSignIn(files: KeyFiles(time: { surroundings.time.withLock(\.self) })) { line in
            surroundings.lines.withLock { $0.append(line) }
        }
    }

    private var lines: [String] { surroundings.lines.withLock(\.self) }

    private func passSecond() { surroundings.time.withLock { $0 += .seconds(1) } }

    private func accepts(_ name: String, _ verifier: TokenSignIn) async -> Bool {
        await verifier.subject(of: token(name), for: app, at: now) != nil
    }

    /// Replaces the key file atomically, as a rename does.
    private func replace(_ bytes: Data, mode: mode_t = 0o600) throws {
        try bytes.write(to: URL(filePath: path + ".new"))
        chmod(path + ".new", mode)
        #expect(rename(path + ".new", path) == 0)
    }

    @Test func returnsTheSubjectOfATokenOfTheAppsKeys() async {
        let verifier = makeVerifier()
        #expect(await !accepts("one", verifier))
        app.settings.signIn.keys = [jwk("one")]
        #expect(await verifier.subject(of: token("one"), for: app, at: now) == Subject("anna"))
        #expect(await !accepts("two", verifier))
        #expect(await verifier.subject(of: [], for: app, at: now) == nil)
    }

    @Test func namesTheReasonAgainstAToken() {
        let verifier = makeVerifier()
        func fault(_ name: String, after seconds: Int64 = 0) -> TokenError? {
            #expect(throws: TokenError.self) {
                _ = try verifier.verify(
                    token(name), for: app, at: Timestamp(milliseconds: now.milliseconds + seconds * 1000))
            }
        }
        #expect(fault("one") == .unknownKey)
        app.settings.signIn.keys = [jwk("one")]
        #expect(fault("two") == .unknownKey)
        #expect(fault("one", after: 700) == .expired)
        app.settings.signIn.issuer = "https://login.example.com"
        #expect(fault("one") == .issuer)
        #expect(TokenError.issuer.text(for: app).contains("https://login.example.com"))
        app.settings.signIn.issuer = nil
        app.settings.signIn.audience = "placekeeper"
        #expect(fault("one") == .audience)
        app.settings.signIn.keys = [jwk("one").merging(["k": jwk("two")["k"] ?? ""]) { $1 }]
        #expect(fault("one") == .signature)
    }

    @Test(arguments: [(255, true), (256, false)])
    func limitsTheSubjectTo255Bytes(count: Int, isAccepted: Bool) async {
        let verifier = makeVerifier()
        app.settings.signIn.keys = [jwk("one")]
        let token = token("one", subject: String(repeating: "x", count: count))
        #expect((await verifier.subject(of: token, for: app, at: now) != nil) == isAccepted)
    }

    @Test func rejectsASubjectWithAControlCharacter() async {
        let verifier = makeVerifier()
        app.settings.signIn.keys = [jwk("one")]
        #expect(await verifier.subject(of: token("one", subject: #"anna\u0000"#), for: app, at: now) == nil)
    }

    @Test func appliesChangedSettingsToTheNextToken() async {
        let verifier = makeVerifier()
        app.settings.signIn.keys = [jwk("one"), jwk("two")]
        #expect(await accepts("one", verifier))
        app.settings.signIn.keys = [jwk("two")]
        #expect(await !accepts("one", verifier))
        #expect(await accepts("two", verifier))
        app.settings.signIn.issuer = "https://example.com"
        #expect(await !accepts("two", verifier))
        app.settings.signIn.issuer = nil
        app.settings.signIn.audience = "photos"
        #expect(await !accepts("two", verifier))
    }

    @Test func separatesTheKeysOfApps() async {
        let verifier = makeVerifier()
        app.settings.signIn.keys = [jwk("one")]
        #expect(await accepts("one", verifier))
        let other = App(
            id: .random(SystemRandom()), bundleIdentifier: "com.example.other", publishableKey: "pk_2",
            createdAt: Timestamp(milliseconds: 0))
        #expect(await verifier.subject(of: token("one"), for: other, at: now) == nil)
    }

    @Test func usesTheKeysOfAReplacedFileWithinASecond() async throws {
        let verifier = makeVerifier()
        try replace(try set("one"))
        app.settings.signIn.keysFile = path
        #expect(await accepts("one", verifier))
        try replace(try set("two"))
        // The file is checked at most once a second.
        #expect(await accepts("one", verifier))
        passSecond()
        #expect(await !accepts("one", verifier))
        #expect(await accepts("two", verifier))
        #expect(verifier.warnings == [])
        #expect(lines == [])
    }

    @Test func usesTheKeysOfTheSettingsAndOfTheFileTogether() async throws {
        let verifier = makeVerifier()
        try replace(try set("one"))
        app.settings.signIn.keysFile = path
        app.settings.signIn.keys = [jwk("two")]
        #expect(await accepts("one", verifier))
        #expect(await accepts("two", verifier))
        app.settings.signIn.keysFile = nil
        #expect(await !accepts("one", verifier))
        #expect(await accepts("two", verifier))
    }

    /// Contents of a key file that cannot be used.
    static let broken: [(name: String, bytes: Data?, reason: String)] = [
        (
            "truncated", Data(#"{"keys":[{"kty":"oct","kid":"one","k":"YSBzZWNyZXQ"#.utf8),
            "it is not valid JSON at byte 50"
        ),
        ("empty", Data(), "it is not valid JSON at byte 0"),
        ("huge", Data(repeating: 0x20, count: (256 << 10) + 1), "it has more than 262144 bytes"),
        ("malformed", Data(#"{"keys":[{"kty":"oct","k":"c2hvcnQ"}]}"#.utf8), "a secret has less than 32 bytes"),
        ("missing", nil, "it cannot be read: No such file or directory"),
    ]

    @Test(arguments: broken)
    func keepsTheLastKeysOfAFileThatCannotBeUsed(file: (name: String, bytes: Data?, reason: String)) async throws {
        let verifier = makeVerifier()
        try replace(try set("one"))
        app.settings.signIn.keysFile = path
        #expect(await accepts("one", verifier))
        if let bytes = file.bytes { try replace(bytes) } else { unlink(path) }
        let warning = "the key file of com.example.photos cannot be used: \(file.reason)"
        for _ in 1...3 {
            passSecond()
            #expect(await accepts("one", verifier))
            #expect(verifier.warnings == [warning])
        }
        try replace(try set("two"))
        passSecond()
        #expect(await accepts("two", verifier))
        #expect(await !accepts("one", verifier))
        #expect(verifier.warnings == [])
        let again = "the key file of com.example.photos is used again"
        #expect(lines == [warning + "; its last keys stay in use", again])
    }

    @Test(arguments: [0o640, 0o604, 0o644])
    func refusesAFileWithASecretThatOtherUsersMayRead(mode: Int) async throws {
        let verifier = makeVerifier()
        app.settings.signIn.keysFile = path
        try replace(try set("one"), mode: mode_t(mode))
        #expect(await !accepts("one", verifier))
        let reason = "it has a secret, and other users may read it; set its mode with chmod 600"
        #expect(verifier.warnings == ["the key file of com.example.photos cannot be used: \(reason)"])
        // The operator follows the advice. Neither the content nor the time of its last change is new.
        #expect(chmod(path, 0o600) == 0)
        passSecond()
        #expect(await accepts("one", verifier))
        #expect(verifier.warnings == [])
    }

    @Test func acceptsAFileWithPublicKeysThatOtherUsersMayRead() async throws {
        let verifier = makeVerifier()
        app.settings.signIn.keysFile = path
        try replace(Data(#"{"keys":[\#(KeyChangeTests.publicJWK)]}"#.utf8), mode: 0o644)
        #expect(await !accepts("one", verifier))
        #expect(verifier.warnings == [])
    }

    @Test func neverWaitsForAPipe() async throws {
        let verifier = makeVerifier()
        app.settings.signIn.keysFile = path
        #expect(mkfifo(path, 0o600) == 0)
        #expect(await !accepts("one", verifier))
        #expect(
            verifier.warnings == [
                "the key file of com.example.photos cannot be used: it is a pipe, and not a regular file"
            ])
    }

    @Test func refusesAFileWithTheIdentifierOfAKeyOfTheSettings() async throws {
        let verifier = makeVerifier()
        app.settings.signIn.keys = [jwk("two")]
        app.settings.signIn.keysFile = path
        try replace(try set("one"))
        #expect(await accepts("one", verifier))
        try replace(try set("two", "three"))
        passSecond()
        for name in ["one", "two"] { #expect(await accepts(name, verifier)) }
        #expect(await !accepts("three", verifier))
        #expect(
            verifier.warnings == [
                "the key file of com.example.photos cannot be used: two keys have the same identifier (kid)"
            ])
    }

    @Test func forgetsAppsAndFilesThatAreNoLongerUsed() async throws {
        let verifier = makeVerifier()
        app.settings.signIn.keysFile = path
        verifier.refresh([app])
        #expect(verifier.warnings.count == 1)
        app.settings.signIn.keysFile = nil
        verifier.refresh([app])
        #expect(verifier.warnings == [])
        app.settings.signIn.keysFile = path
        verifier.refresh([app])
        #expect(verifier.warnings.count == 1)
        verifier.refresh([])
        #expect(verifier.warnings == [])
    }
}
