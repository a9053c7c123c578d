extension RestorationService {
    /// Adds an app with a new publishable key.
    package func createApp(_ bundleIdentifier: String) async throws(ServiceError) -> App {
        try Validation.bundleIdentifier(bundleIdentifier)
        let app = App(
            id: AppID.random(random), bundleIdentifier: bundleIdentifier,
            publishableKey: Token.publishableKey(from: random), createdAt: clock.now())
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
        try await ask { store async throws(StoreError) in try await store.apps() }
    }

    package func app(_ selector: AppSelector) async throws(ServiceError) -> App {
        let app = try await ask { store async throws(StoreError) in try await store.app(selector) }
        guard let app else {
            guard case .publishableKey = selector else { throw ServiceError(.appUnknown, "There is no such app.") }
            throw ServiceError(
                .appUnknown,
                "No app has this publishable key. A key begins with pk_. The command app list prints the keys.")
        }
        return app
    }

    package func replaceSettings(of app: AppID, with settings: App.Settings) async throws(ServiceError) {
        try Validation.settings(settings)
        let isKnown = try await write { store async throws(StoreError) in
            try await store.replaceSettings(of: app, with: settings)
        }
        guard isKnown else { throw ServiceError(.appUnknown, "There is no such app.") }
    }

    /// Returns the amounts of an app's stored data.
    package func usage(of app: AppID) async throws(ServiceError) -> Usage {
        try await ask { store async throws(StoreError) in try await store.usage(of: app) }
    }
}
