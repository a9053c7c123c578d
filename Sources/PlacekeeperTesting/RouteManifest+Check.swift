import Foundation
public import PlacekeeperRuntime

extension RouteManifest {
    /// With the value `1`, this environment variable makes `check(against:)` write the file. With `xcodebuild`, add the
    /// prefix `TEST_RUNNER_` to its name.
    public static let recordingVariable = "PLACEKEEPER_RECORD_ROUTES"

    /// Whether the tests run with the environment variable set.
    public static var isRecording: Bool { ProcessInfo.processInfo.environment[recordingVariable] == "1" }

    /// Compares the manifest with a committed file, in a test of the app:
    ///
    /// ```swift
    /// @Test func olderPlacesKeepTheirScreens() throws {
    ///     try Route.placeManifest.check(against: "Routes.json")
    /// }
    /// ```
    /// The test fails if a screen lost its name, a parameter was removed or changed its type, a new parameter is not
    /// optional, or a name has two meanings. A new route only needs a new file: run the test once with
    /// `recordingVariable`. This run writes the file and also fails, so a run on a build server can't pass by writing.
    /// The file isn't written while the manifest would lose older places.
    /// - Parameters:
    ///   - path: The path of the file, relative to the folder of the test's source file.
    ///   - source: The test's source file.
    ///   - isRecording: Whether to write the file.
    /// - Throws: A sentence for each difference.
    public func check(
        against path: String, from source: String = #filePath, isRecording: Bool = RouteManifest.isRecording
    ) throws(RouteManifestError) {
        let url = URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: source).deletingLastPathComponent())
        let present = RouteManifestFile(self)
        let committed = FileManager.default.fileExists(atPath: url.path) ? try RouteManifestFile(reading: url) : nil
        let findings = ownFindings + (committed.map(findings) ?? [])
        guard findings.isEmpty else { throw RouteManifestError(findings: findings) }
        guard present != committed else { return }
        let record = "Run the test once with the environment variable \(Self.recordingVariable)=1, and commit the file."
        guard isRecording else {
            let reason =
                committed.map { "\(path) is not up to date: \(present.differences(from: $0))." }
                ?? "\(path) does not exist."
            throw RouteManifestError(findings: ["\(reason) \(record)"])
        }
        try present.write(to: url)
        throw RouteManifestError(
            findings: ["\(path) was written. Commit it, and run the test without \(Self.recordingVariable)."])
    }

    /// The contradictions within the manifest.
    private var ownFindings: [String] {
        var findings: [String] = []
        var owners: [String: String] = [:]
        for route in routes {
            if owners[route.name] != nil {
                findings.append("Two routes have the name \"\(route.name)\". Give each route its own name.")
            }
            owners[route.name] = route.name
        }
        for route in routes {
            for name in route.renamedFrom {
                if let owner = owners[name] {
                    findings.append(
                        "The route \"\(route.name)\" was renamed from \"\(name)\", and the route \"\(owner)\" uses this name "
                            + "too. A saved name leads to one screen: remove the name from one of the two routes.")
                }
                owners[name] = owners[name] ?? route.name
            }
        }
        for name in removed {
            guard let owner = owners[name] else { continue }
            findings.append(
                "The name \"\(name)\" is listed as removed, and the route \"\(owner)\" uses it. Older places would open "
                    + "another screen: give the route another name.")
        }
        return findings
    }

    /// The older places that the manifest loses.
    private func findings(since file: RouteManifestFile) -> [String] {
        var findings: [String] = []
        for (name, old) in file.routes.sorted(by: { $0.key < $1.key }) {
            let now = route(named: name)
            for name in [name] + old.renamedFrom {
                if let other = route(named: name) {
                    if let now, now != other {
                        findings.append(
                            "Places with the name \"\(name)\" led to the route \"\(now.name)\", and lead to the route "
                                + "\"\(other.name)\" now. Give the route \"\(other.name)\" another name.")
                    }
                } else if !removed.contains(name) {
                    findings.append(
                        "No route has the name \"\(name)\", which saved places have. If the screen was renamed, add "
                            + "\"\(name)\" to the `renamedFrom` of its route. If the screen was removed, add \"\(name)\" to "
                            + "`removed`.")
                }
            }
            if let now { findings += now.findings(since: old) }
        }
        for name in file.removed where !removed.contains(name) {
            findings.append(
                "The name \"\(name)\" is no longer listed as removed, and older places have it. Add it to `removed` again."
            )
        }
        return findings
    }
}

extension RouteManifest.Route {
    fileprivate func findings(since old: RouteManifestFile.Route) -> [String] {
        let replace = "or give the screen a new name, and add the old name to `removed`."
        var findings: [String] = []
        if items != old.items {
            let (before, now) = (old.items.joined(separator: ", "), items.joined(separator: ", "))
            findings.append(
                "The items of the route \"\(name)\" were of the lists [\(before)], and are of the lists [\(now)] now. Keep "
                    + "the items, \(replace)")
        }
        for (key, type) in old.parameters.sorted(by: { $0.key < $1.key }) {
            switch parameters[key] {
            case nil:
                findings.append(
                    "The parameter \"\(key)\" of the route \"\(name)\" was removed, and other versions of the app read it. "
                        + "Keep the parameter, \(replace)")
            case let now? where now.rawValue != type:
                findings.append(
                    "The parameter \"\(key)\" of the route \"\(name)\" had the type \(type), and has the type "
                        + "\(now.rawValue) now. Keep the type, \(replace)")
            default: break
            }
        }
        for (key, type) in parameters.sorted(by: { $0.key < $1.key })
        where old.parameters[key] == nil && type != type.optional {
            findings.append(
                "The parameter \"\(key)\" of the route \"\(name)\" is new, so saved places do not have it. Read it as an "
                    + "optional value, and declare it as `.optional`.")
        }
        return findings
    }
}
