package import PlacekeeperCore

/// Apps and their settings.
package struct Apps: UseCases {
    let service: RestorationService

    /// Adds an app with a new publishable key.
    ///
    /// - Parameter actor: if given, the audit log gets an entry before the app is added.
    package func createApp(_ bundleIdentifier: String, by actor: Auditor? = nil) async throws(ServiceError) -> App {
        try Validation.bundleIdentifier(bundleIdentifier)
        let app = App(
            id: AppID.random(random), bundleIdentifier: bundleIdentifier,
            publishableKey: Token.publishableKey(from: random), createdAt: clock.now())
        if let actor {
            // Don't record an attempt to add an existing app.
            let selector = AppSelector.bundleIdentifier(bundleIdentifier)
            let known = try await service.ask { store async throws(StoreError) in try await store.app(selector) }
            guard known == nil else { throw ServiceError(.appExists, "An app already has this bundle identifier.") }
            try await service.auditLog.record(.appCreated, by: actor, in: app.id)
        }
        do {
            try await store.create(app)
        } catch  where error.code == .exists {
            throw ServiceError(.appExists, "An app already has this bundle identifier.")
        } catch {
            throw ServiceError(error)
        }
        return app
    }

    package func apps() async throws(ServiceError) -> [App] {
        try await service.ask { store async throws(StoreError) in try await store.apps() }
    }

    /// The origins of web pages that any app lists, as of the last reading.
    package var webOrigins: Set<[UInt8]> { service.webOrigins.origins }

    /// Reads the origins of all apps again if the last reading is a second old. Keeps them if the store fails.
    package func refreshWebOrigins() async {
        guard service.webOrigins.beginReading(at: clock.uptime()) else { return }
        let apps = try? await apps()
        service.webOrigins.endReading(
            apps.map { Set($0.flatMap { $0.settings.webOrigins.map { Array($0.utf8) } }) }, at: clock.uptime())
    }

    package func app(_ selector: AppSelector) async throws(ServiceError) -> App {
        let app = try await service.ask { store async throws(StoreError) in try await store.app(selector) }
        var isKey = false
        if case .publishableKey = selector { isKey = true }
        guard let app, !(isKey && app.isBeingDeleted) else {
            guard isKey else { throw ServiceError(.appUnknown, "There is no such app.") }
            throw ServiceError(
                .appUnknown,
                "No app has this publishable key. A key begins with pk_. The command app list prints the keys.")
        }
        return app
    }

    package func replaceSettings(of app: AppID, with settings: App.Settings) async throws(ServiceError) {
        try Validation.settings(settings)
        let isKnown = try await service.write { store async throws(StoreError) in
            try await store.replaceSettings(of: app, with: settings, replacing: nil)
        }
        guard isKnown else { throw ServiceError(.appUnknown, "There is no such app.") }
    }

    /// Replaces the settings of `app`, unless they changed after `app` was read. First adds audit log entries: one for
    /// each stopped restore that is added or removed, and one for all other changes.
    ///
    /// - Parameter changes: a line about each changed setting, for the audit log.
    /// - Returns: whether the settings were replaced.
    package func replaceSettings(
        of app: App, with settings: App.Settings, changing changes: [String], by actor: Auditor
    ) async throws(ServiceError) -> Bool {
        try Validation.settings(settings)
        let (before, after) = (app.settings.stoppedRestores, settings.stoppedRestores)
        for stop in after where !before.contains(stop) {
            try await service.auditLog.record(.restoresStopped, by: actor, in: app.id, detail: stop.text)
        }
        for stop in before where !after.contains(stop) {
            try await service.auditLog.record(.restoresAllowed, by: actor, in: app.id, detail: stop.text)
        }
        let others = changes.filter { $0 != "stoppedRestores" }
        if !others.isEmpty {
            try await service.auditLog.record(
                .settingsChanged, by: actor, in: app.id, detail: others.joined(separator: "; "))
        }
        return try await service.write { store async throws(StoreError) in
            try await store.replaceSettings(of: app.id, with: settings, replacing: app.settings)
        }
    }

    /// Returns how much data an app stores.
    package func usage(of app: AppID) async throws(ServiceError) -> Usage {
        try await service.ask { store async throws(StoreError) in try await store.usage(of: app) }
    }
}
