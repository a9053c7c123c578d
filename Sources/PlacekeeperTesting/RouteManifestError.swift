/// The differences between an app's manifest of routes and its committed file. A test that throws this error fails with one
/// sentence for each difference.
public struct RouteManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The differences. Each is a sentence that says what to do.
    public let findings: [String]
    /// The differences, one to a line.
    public var description: String { findings.joined(separator: "\n") }
}
