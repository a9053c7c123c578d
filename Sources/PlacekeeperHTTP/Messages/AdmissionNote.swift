/// A note that a responder makes when it admits the content of a request. The transport returns the note with the
/// complete request.
package struct AdmissionNote: Sendable {
    /// The responder's uptime when it admitted the body. The body may arrive much later.
    package var uptime: Duration?
    /// The resource that the path of the target matched.
    package var match: PathMatch?

    package init(uptime: Duration? = nil, match: PathMatch? = nil) {
        self.uptime = uptime
        self.match = match
    }
}

/// The resource that a path matched, and the ranges of the path's variable segments in the bytes of the head.
package struct PathMatch: Sendable {
    /// The number by which the responder identifies the resource.
    package var resource: Int
    /// The first four variable segments. No template has more.
    package var parameters: (Range<Int>, Range<Int>, Range<Int>, Range<Int>) = (0..<0, 0..<0, 0..<0, 0..<0)
    package var parameterCount = 0

    package init(resource: Int) { self.resource = resource }
}
