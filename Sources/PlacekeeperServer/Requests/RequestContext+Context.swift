import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

// The context in the query of a request.
extension RequestContext {
    /// Returns the requesting device's context. Without `idiom` in the query, uses the idiom of the device's
    /// registration.
    func context(of principal: Principal) throws(Problem) -> Context {
        Context(
            idiom: try idiom() ?? principal.device.idiom, layout: try layout(),
            bundleVersion: try query("bundleVersion"),
            systemVersion: try query("systemVersion"), stateVersion: try stateVersion())
    }

    func idiom() throws(Problem) -> Idiom? {
        guard let text = try query("idiom") else { return nil }
        guard let idiom = Idiom(name: text) else {
            throw .malformedQuery(
                "idiom", "The idiom must be one of \(Idiom.allCases.map(\.name).joined(separator: ", ")).")
        }
        return idiom
    }

    func layout() throws(Problem) -> Layout? {
        guard let text = try query("layout") else { return nil }
        guard let layout = Layout(name: text) else {
            throw .malformedQuery("layout", "The layout must be compact or regular.")
        }
        return layout
    }

    func stateVersion() throws(Problem) -> Int64? { try number("stateVersion", in: Int64.min...Int64.max) }

    /// Returns the device in the query parameter `device=self|ID`, to which the search for archives is limited. Nil
    /// means all devices.
    func device(of principal: Principal) throws(Problem) -> DeviceID? {
        guard let text = try query("device") else { return nil }
        if text == "self" { return principal.device.id }
        guard let device = DeviceID(text) else { throw .malformedQuery("device", "The device must be self or an id.") }
        return device
    }

    /// Returns the launch of the app that sends the request. Nil if the request doesn't name one.
    func launch() throws(Problem) -> LaunchID? { try head.launch() }

    /// Returns whether the requesting device already has this version of an archive: `If-None-Match` contains the
    /// version's entity tag. If the archive is served as it was uploaded, the entity tag of the uploaded bytes also
    /// counts, because the device that uploaded them has only that tag. Always false for the place as JSON.
    func holds(_ version: ServedVersion) -> Bool {
        guard head[.ifNoneMatch] != nil, head.archiveForm == .archive else { return false }
        if head.ifNoneMatchNames(Array(version.entityTag.utf8)) == true { return true }
        guard version.fidelity == .full, version.superseded == nil, version.rewritten == nil, !version.isOnlyOffered
        else { return false }
        return head.ifNoneMatchNames(ContentCoding.entityTag(of: version.digest)) == true
    }
}

// The header fields of an upload.
extension RequestContext {
    /// Returns `Interaction-Age`: decimal seconds with millisecond precision.
    func interactionAge() throws(Problem) -> Duration {
        guard let value = head[.interactionAge] else { return .zero }
        let parts = value.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count <= 2, let seconds = parts.first.flatMap({ Int64(decimal: $0) }), seconds >= 0,
            value.first != 0x2D, seconds <= 9_999_999_999
        else { throw .malformedField(.interactionAge, "The field must be decimal seconds, such as 12.5.") }
        guard parts.count == 2 else { return .seconds(seconds) }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .malformedField(.interactionAge, "The field must be decimal seconds, such as 12.5.")
        }
        let digits = Array(parts[1].prefix(3)) + Array(repeating: 0x30, count: max(0, 3 - parts[1].count))
        return .seconds(seconds) + .milliseconds(Int64(decimal: digits[...]) ?? 0)
    }

    /// Returns the `If-Head` precondition: a revision or `none`.
    func headPrecondition() throws(Problem) -> HeadPrecondition? {
        guard let value = head[.ifHead] else { return nil }
        if value.elementsEqual("none".utf8) { return HeadPrecondition.none }
        guard let revision = Int64(decimal: value), revision >= 0 else {
            throw .malformedField(.ifHead, "The field must be a revision or none.")
        }
        return .revision(Revision(rawValue: revision))
    }
}

extension RequestHead {
    /// Returns the field `Launch-Id`, the launch of the app that sends the request. Nil if the field is absent.
    func launch() throws(Problem) -> LaunchID? {
        guard let value = self[.launchID] else { return nil }
        guard let launch = LaunchID(String(decoding: value, as: UTF8.self)) else {
            throw .malformedField(.launchID, "The field must be 1 to 64 of the characters A–Z a–z 0–9 . _ and -.")
        }
        return launch
    }

    /// Returns the field `Counted-Launch`, the launch that the device counted last. Nil if the field is absent.
    func countedLaunch() throws(Problem) -> CountedLaunch? {
        guard let value = self[.countedLaunch] else { return nil }
        let parts = value.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(decimal: parts[0]), Limits.launchNumber.contains(number),
            let id = LaunchID(String(decoding: parts[1], as: UTF8.self))
        else {
            throw .malformedField(
                .countedLaunch,
                "The field must be NUMBER-ID, such as 7-3f2a: a number from 1 to \(Limits.launchNumber.upperBound), and 1 to 64 of the characters A–Z a–z 0–9 . _ and -."
            )
        }
        return CountedLaunch(number: number, id: id)
    }

    /// Returns the counted launch of a request. Nil if the service already knows it, if the device doesn't count its
    /// launches, or if its token may not write.
    func newLaunch(of principal: Principal) throws(Problem) -> CountedLaunch? {
        guard principal.mayWrite, let launch = try countedLaunch(), launch != principal.device.launch else {
            return nil
        }
        return launch
    }
}
