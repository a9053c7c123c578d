/// A note that a responder makes when it admits the content of a request. The transport returns the note with the
/// complete request.
package struct AdmissionNote: Sendable {
    /// The time at which the responder admitted the body, on the responder's clock. The body may arrive much later.
    package var time: Int64?
    /// The resource that the path of the target matched.
    package var match: PathMatch?

    package init(time: Int64? = nil, match: PathMatch? = nil) {
        self.time = time
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
