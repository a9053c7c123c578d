import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTokens
import Synchronization

/// Verifies sign-in tokens with the keys in an app's settings and in its key file.
final class TokenSignIn: SignInVerifying {
    /// The parsed keys of an app.
    private struct Entry {
        var bundleIdentifier: String
        /// The settings that the keys were parsed from. A change of the settings applies to the next token.
        var settings: App.Settings.SignIn
        /// The version of the key file's state.
        var fileVersion: Int?
        /// The keys from the settings and the key file.
        var keys = JSONWebKeySet()
        /// The keys from the key file.
        var fileKeys: [JSONWebKey] = []
        /// Why the key file can't be used.
        var fault: JSONWebKeyError?
    }

    /// The maximum number of apps in `warnings`.
    private static let maximumWarnings = 100

    private let files: KeyFiles
    private let entries = Mutex<[AppID: Entry]>([:])
    /// Reports that a key file can't be used, or is usable again.
    private let report: @Sendable (String) -> Void

    init(files: KeyFiles = KeyFiles(), report: @escaping @Sendable (String) -> Void) {
        self.files = files
        self.report = report
    }

    func subject(of token: [UInt8], for app: App, at now: Timestamp) async -> Subject? {
        try? verify(token, for: app, at: now)
    }

    /// Returns the subject of a token. Throws the reason if the token is rejected.
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

    /// Checks the key files of all apps, and drops the keys of apps that aren't in the list.
    func refresh(_ apps: [App]) {
        let known = Set(apps.map(\.id))
        entries.withLock { entries in entries = entries.filter { known.contains($0.key) } }
        files.forget(except: Set(apps.compactMap(\.settings.signIn.keysFile)))
        for app in apps { _ = keys(of: app) }
    }

    /// A line for each key file that can't be used. The lines reveal nothing from the files.
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

    /// Parses the keys of an app. If a key file can't be used, its keys in `old` remain in use.
    private static func entry(for app: App, _ file: KeyFiles.State?, after old: Entry?) -> Entry {
        let settings = app.settings.signIn
        var entry = Entry(bundleIdentifier: app.bundleIdentifier, settings: settings, fileVersion: file?.version)
        // The command checks keys before it stores them, but keys stored by another program may be malformed.
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
                // A key in the file has the same identifier as a key in the settings, or there are too many keys.
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
