import Foundation
import PlacekeeperRuntime

/// A route manifest as it is committed: JSON with sorted keys, so a change of one route changes only the lines of that
/// route.
struct RouteManifestFile: Codable, Equatable {
    struct Route: Codable, Equatable {
        var items: [String]
        var parameters: [String: String]
        var renamedFrom: [String]
    }

    var routes: [String: Route]
    var removed: [String]

    /// If two routes have the same name, the file contains the first. The check reports the second before the file is
    /// used.
    init(_ manifest: RouteManifest) {
        let pairs = manifest.routes.map { route in
            (
                route.name,
                Route(
                    items: route.items, parameters: route.parameters.mapValues(\.rawValue),
                    renamedFrom: route.renamedFrom.sorted())
            )
        }
        routes = Dictionary(pairs) { first, _ in first }
        removed = manifest.removed.sorted()
    }

    init(reading url: URL) throws(RouteManifestError) {
        do { self = try JSONDecoder().decode(RouteManifestFile.self, from: Data(contentsOf: url)) } catch {
            let name = url.lastPathComponent
            throw RouteManifestError(
                findings: ["\(name) is not a readable manifest of routes. Restore the committed version of the file."])
        }
    }

    func write(to url: URL) throws(RouteManifestError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { try (encoder.encode(self) + Data("\n".utf8)).write(to: url, options: .atomic) } catch {
            throw RouteManifestError(findings: ["\(url.lastPathComponent) cannot be written: \(error)"])
        }
    }

    /// The names of the routes that differ from an older file.
    func differences(from old: RouteManifestFile) -> String {
        let names = Set(routes.keys).union(old.routes.keys).filter { routes[$0] != old.routes[$0] }.sorted()
        return names.isEmpty ? "the removed names differ" : "the entries of \(names.joined(separator: ", ")) differ"
    }
}
