package import PlacekeeperCore
import PlacekeeperServer
import PlacekeeperService

// The work that the command does once a minute, and the app's settings.
extension TestService {
    /// Writes the counters and the restore log, and runs the circuit breaker.
    /// - Returns: The circuit breaker's log lines.
    package func keepUp() async throws -> [String] {
        try await server.flush()
        return try await service.health.judgeRestores()
    }

    /// The settings of the app.
    package var settings: App.Settings {
        get async throws { try await service.apps.app(.id(app)).settings }
    }

    /// Changes the settings of the app.
    package func change(_ body: (inout App.Settings) -> Void) async throws {
        var settings = try await settings
        body(&settings)
        try await service.apps.replaceSettings(of: app, with: settings)
    }
}
