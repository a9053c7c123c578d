import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// A routed request, with accessors for its path, query and fields. A class, because each handler that waits would keep
/// a copy of a struct of this size.
final class RequestContext: Sendable {
    let request: Request
    let match: PathMatch
    let bodyLimit: BodyLimit
    /// The uptime when the head arrived. The body may arrive much later. Nil if there is no body.
    let arrivedAt: Duration?
    /// Charges the memory that the request holds in addition to the received body. Nil if the request has no body or no
    /// memory budget.
    let reservation: Reservation?

    init(request: Request, match: PathMatch, bodyLimit: BodyLimit) {
        self.request = request
        self.match = match
        self.bodyLimit = bodyLimit
        arrivedAt = (request.note as? Server.Arrival)?.uptime
        reservation = Reservation(for: request)
    }

    var head: RequestHead { request.head }

    /// Whether the path names a scene. Only paths below `/v1/scenes` name a scene.
    var isAboutScene: Bool {
        request.head.bytes[request.head.path].starts(with: "/v1/scenes/".utf8)
    }

    /// Returns the scene's name, which is the first variable segment.
    func scene() throws(Problem) -> String {
        guard let name = text(match.parameters.0) else {
            var problem = Problem(.malformedPath, "The scene's name is not UTF-8\(Self.markLimit).")
            problem.document.parameter = "scene"
            throw problem
        }
        return name
    }

    /// The id of an archive, which is the second variable segment. Nil if the segment is not a UUID.
    var archive: ArchiveID? { ArchiveID(head.bytes[match.parameters.1]) }

    /// Returns the id of the archive in the path. Throws `archiveNotFound` if the segment is not a UUID, because no
    /// archive has such an id.
    func storedArchive() throws(Problem) -> ArchiveID {
        guard let archive else { throw Problem(.archiveNotFound, "There is no such archive.") }
        return archive
    }
}

// Accessors for the query and the header fields.
extension RequestContext {
    /// Returns the text of a query parameter, or nil if the parameter is absent.
    func query(_ name: StaticString) throws(Problem) -> String? {
        guard let parameter = head.queryParameter(name) else { return nil }
        guard let text = text(parameter.value) else {
            throw .malformedQuery(name, "The parameter is not UTF-8\(Self.markLimit).")
        }
        return text
    }

    /// Returns the percent-decoded text of a part of the request target. Nil if the part is not UTF-8 or has too many
    /// combining marks in a row.
    func text(_ range: Range<Int>) -> String? {
        guard let text = head.percentDecoded(range), !text.hasLongCombiningRun else { return nil }
        return text
    }

    static let markLimit = ", or has more than \(CombiningRun.limit) combining marks in a row"

    /// Returns a whole number from the query, or nil if the parameter is absent. Refuses a number outside the range.
    func number<Number: FixedWidthInteger>(_ name: StaticString, in range: ClosedRange<Number>) throws(Problem)
        -> Number?
    {
        guard let parameter = head.queryParameter(name) else { return nil }
        guard let number = Number(decimal: head.bytes[parameter.value]), range.contains(number) else {
            throw .malformedQuery(
                name, "The parameter must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Returns the whole number of a field, or nil if the field is absent. Refuses a negative number.
    func number(_ name: FieldName) throws(Problem) -> Int64? {
        guard let value = head[name] else { return nil }
        guard let number = Int64(decimal: value), number >= 0 else {
            throw .malformedField(name, "The field must be a whole number, 0 or greater.")
        }
        return number
    }
}

extension FixedWidthInteger {
    /// Parses decimal digits, with an optional minus sign if the type is signed. Returns nil for any other text.
    init?(decimal digits: ArraySlice<UInt8>) {
        let isNegative = Self.isSigned && digits.first == 0x2D
        let digits = isNegative ? digits.dropFirst() : digits
        guard !digits.isEmpty else { return nil }
        var value: Self = 0
        for byte in digits {
            guard case 0x30...0x39 = byte else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Self(truncatingIfNeeded: byte - 0x30)
            let (sum, carry) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            value = sum
        }
        self = value
    }
}
