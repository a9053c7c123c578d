import Testing

@testable import placekeeper_bench_release

/// A sample of `make bench-release`.
struct ReleaseSimulationTests {
    /// A release for few devices, which install it as fast as 10,000 devices in a day.
    private static func release(_ change: (inout Release) -> Void = { _ in }) -> Release {
        var release = Release(devices: 200)
        (release.spreadHours, release.hours) = (1, 3)
        change(&release)
        return release
    }

    @Test func breakerStopsABadRelease() async throws {
        let result = try await ReleaseSimulation.run(Self.release())
        #expect(result.crashedDevices <= 50 && result.crashedDevices >= 5)
        #expect(result.mostCrashesOnOneArchive == 1 && result.mostCrashesOfOneDevice <= 2)
        #expect(result.refusedOnVersionOne == 0 && result.stops.allSatisfy { $0.targetVersion == "2" })
        #expect(result.stops.contains { $0.sourceVersion == "1" && $0.idiom == "phone" })
        #expect(result.preventedCrashes > result.crashes)
    }

    /// The breaker, and nothing else, keeps most devices from crashing.
    @Test func badReleaseCrashesManyDevicesWithoutTheBreaker() async throws {
        let result = try await ReleaseSimulation.run(Self.release { $0.breaker = .off })
        #expect(result.crashedDevices > 75 && result.stops.isEmpty)
        #expect(result.mostCrashesOnOneArchive == 1 && result.mostCrashesOfOneDevice == 2)
    }

    @Test(arguments: [(50, 1), (20, 4)]) func hostileClientStopsNoRestores(
        _ installations: Int, _ networks: Int
    ) async throws {
        let result = try await ReleaseSimulation.run(
            Self.release {
                $0.crashingShare = 0
                $0.hours = 2
                $0.hostileInstallations = installations
                $0.hostileNetworks = networks
            })
        #expect(result.stops.isEmpty && result.crashes == 0)
        #expect(result.refusedHealthyStates == 0 && result.refusedOnVersionOne == 0)
    }

    @Test func repeatsExactly() async throws {
        let release = Self.release { ($0.devices, $0.hours) = (50, 2) }
        let first = try await ReleaseSimulation.run(release)
        let second = try await ReleaseSimulation.run(release)
        #expect(first.timeline == second.timeline && first.stops == second.stops)
        #expect(first.launches == second.launches && first.restores == second.restores)
    }
}
