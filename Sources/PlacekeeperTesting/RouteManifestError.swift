/// The differences between an app's route manifest and its committed file. A test that throws this error fails with one
/// sentence per difference.
public struct RouteManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The differences, each a sentence that says what to do.
    public let findings: [String]
    /// The differences, one per line.
    public var description: String { findings.joined(separator: "\n") }
}
