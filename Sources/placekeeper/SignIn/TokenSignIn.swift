import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTokens
import Synchronization

/// Verifies sign-in tokens with the keys of an app's settings and of its key file.
final class TokenSignIn: SignInVerifying {
    /// The parsed keys of an app.
    private struct Entry {
        var bundleIdentifier: String
        /// The settings from which the keys were parsed. A change of the settings applies to the next token.
        var settings: App.Settings.SignIn
        /// The version of the state of the key file.
        var fileVersion: Int?
        /// The keys of the settings and of the key file.
        var keys = JSONWebKeySet()
        /// The keys of the key file.
        var fileKeys: [JSONWebKey] = []
        /// The reason why the key file cannot be used.
        var fault: JSONWebKeyError?
    }

    /// The maximum number of apps that `warnings` names.
    private static let maximumWarnings = 100

    private let files: KeyFiles
    private let entries = Mutex<[AppID: Entry]>([:])
    /// Reports that a key file cannot be used, or can be used again.
    private let report: @Sendable (String) -> Void

    init(files: KeyFiles = KeyFiles(), report: @escaping @Sendable (String) -> Void) {
        self.files = files
        self.report = report
    }

    func subject(of token: [UInt8], for app: App, at now: Timestamp) async -> Subject? {
        try? verify(token, for: app, at: now)
    }

    /// Returns the subject of a token. Throws the reason if the token is refused.
    func verify(_ token: [UInt8], for app: App, at now: Timestamp) throws(TokenError) -> Subject {
        let settings = app.settings.signIn
        let expectations = TokenExpectations(
            issuer: settings.issuer, audience: settings.audience ?? app.bundleIdentifier,
            requiresAudience: settings.audience != nil)
        let bytes = try keys(of: app).subject(
            of: token, expecting: expectations, at: Double(now.milliseconds) / 1000)
        guard let subject = Subject(String(decoding: bytes, as: UTF8.self)) else { throw .subject }
        return subject
    }

    /// Checks the key files of all apps, and forgets the keys of apps that are not in the list.
    func refresh(_ apps: [App]) {
        let known = Set(apps.map(\.id))
        entries.withLock { entries in entries = entries.filter { known.contains($0.key) } }
        files.forget(except: Set(apps.compactMap(\.settings.signIn.keysFile)))
        for app in apps { _ = keys(of: app) }
    }

    /// A line for each key file that cannot be used. The lines contain nothing of the files.
    var warnings: [String] {
        let faults = entries.withLock { entries in
            entries.values.compactMap { entry in entry.fault.map { (entry.bundleIdentifier, $0) } }
        }
        return faults.sorted { $0.0 < $1.0 }.prefix(Self.maximumWarnings).map { Self.sentence(on: $0, $1) }
    }

    private static func sentence(on bundleIdentifier: String, _ fault: JSONWebKeyError) -> String {
        "the key file of \(bundleIdentifier) cannot be used: \(fault.message)"
    }

    private func keys(of app: App) -> JSONWebKeySet {
        let file = app.settings.signIn.keysFile.map { files.state(of: $0) }
        let (keys, message) = entries.withLock { entries -> (JSONWebKeySet, String?) in
            let old = entries[app.id]
            if let old, old.settings == app.settings.signIn, old.fileVersion == file?.version { return (old.keys, nil) }
            let new = Self.entry(for: app, file, after: old)
            entries[app.id] = new
            return (new.keys, Self.message(from: old, to: new))
        }
        if let message { report(message) }
        return keys
    }

    /// Parses the keys of an app. If a key file cannot be used, its keys in `old` stay in use.
    private static func entry(for app: App, _ file: KeyFiles.State?, after old: Entry?) -> Entry {
        let settings = app.settings.signIn
        var entry = Entry(bundleIdentifier: app.bundleIdentifier, settings: settings, fileVersion: file?.version)
        // The command checks the keys before it stores them. Keys that another program has stored may be malformed.
        let own = (try? JSONWebKeySet(members: settings.keys)) ?? JSONWebKeySet()
        entry.keys = own
        guard let file else { return entry }
        entry.fault = file.fault
        let kept = old?.settings.keysFile == settings.keysFile ? old?.fileKeys : nil
        for candidate in [file.keys?.keys, kept].compactMap(\.self) {
            do throws(JSONWebKeyError) {
                entry.keys = try JSONWebKeySet(own.keys + candidate)
                entry.fileKeys = candidate
                return entry
            } catch {
                // A key of the file has the identifier of a key of the settings, or there are too many keys.
                entry.fault = entry.fault ?? error
            }
        }
        return entry
    }

    private static func message(from old: Entry?, to new: Entry) -> String? {
        if let fault = new.fault, fault != old?.fault {
            return sentence(on: new.bundleIdentifier, fault)
                + (new.fileKeys.isEmpty ? "" : "; its last keys stay in use")
        }
        guard old?.fault != nil, new.fault == nil, new.settings.keysFile != nil else { return nil }
        return "the key file of \(new.bundleIdentifier) is used again"
    }
}
