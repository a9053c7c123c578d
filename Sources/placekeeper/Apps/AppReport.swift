import PlacekeeperCore
import PlacekeeperService

/// The JSON form of an app, without the secrets of its keys.
struct AppReport: Encodable {
    var id: String
    var bundleIdentifier: String
    var publishableKey: String
    var createdAt: String
    var settings: App.Settings
    var dataSources: [String: DataSource]

    init(_ app: App) {
        id = app.id.description
        bundleIdentifier = app.bundleIdentifier
        publishableKey = app.publishableKey
        createdAt = app.createdAt.text
        settings = app.settings
        settings.signIn = app.settings.signIn.withoutSecrets
        dataSources = app.dataSources
    }
}
