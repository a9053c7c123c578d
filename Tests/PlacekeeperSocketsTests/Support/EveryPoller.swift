import Testing

@testable import PlacekeeperSockets

/// Runs each test of a suite once with every poller.
struct EveryPoller: SuiteTrait, TestTrait, TestScoping {
    /// The poller of the servers that a test creates.
    @TaskLocal static var current = PollerKind.fastest

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for kind in PollerKind.allCases { try await Self.$current.withValue(kind) { try await function() } }
    }
}

extension Trait where Self == EveryPoller {
    static var everyPoller: Self { Self() }
}
