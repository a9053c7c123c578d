import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// A routed request, with accessors for its path, query and fields. It is a class because each waiting handler would
/// copy a struct of this size.
final class RequestContext: Sendable {
    let request: Request
    let match: PathMatch
    let bodyLimit: BodyLimit
    /// The uptime when the head arrived, possibly much earlier than the body. Nil if there is no body.
    let arrivedAt: Duration?
    /// Charges the memory that the request holds in addition to the received body. Nil if there is no body or no memory
    /// budget.
    let reservation: Reservation?

    init(request: Request, match: PathMatch, bodyLimit: BodyLimit) {
        self.request = request
        self.match = match
        self.bodyLimit = bodyLimit
        arrivedAt = (request.note as? Server.Arrival)?.uptime
        reservation = Reservation(for: request)
    }

    var head: RequestHead { request.head }

    /// Whether the path contains a scene, as only paths below `/v1/scenes` do.
    var isAboutScene: Bool {
        request.head.bytes[request.head.path].starts(with: "/v1/scenes/".utf8)
    }

    /// Returns the scene's name, the first variable segment of the path.
    func scene() throws(Problem) -> String {
        guard let name = text(match.parameters.0) else {
            var problem = Problem(.malformedPath, "The scene's name is not UTF-8\(Self.markLimit).")
            problem.document.parameter = "scene"
            throw problem
        }
        return name
    }

    /// The archive's id, the second variable segment of the path. Nil if the segment is not a UUID.
    var archive: ArchiveID? { ArchiveID(head.bytes[match.parameters.1]) }

    /// Returns the archive's id in the path. Throws `archiveNotFound` if the segment isn't a UUID, because no archive
    /// has such an id.
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

    /// Percent-decodes a part of the request target. Nil if it isn't UTF-8 or has too many combining marks in a row.
    func text(_ range: Range<Int>) -> String? {
        guard let text = head.percentDecoded(range), !text.hasLongCombiningRun else { return nil }
        return text
    }

    static let markLimit = ", or has more than \(CombiningRun.limit) combining marks in a row"

    /// Returns a whole number from the query, or nil if the parameter is absent. Throws if it is out of range.
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

    /// Returns the whole number in a field, or nil if the field is absent. Throws if it is negative.
    func number(_ name: FieldName) throws(Problem) -> Int64? {
        guard let value = head[name] else { return nil }
        guard let number = Int64(decimal: value), number >= 0 else {
            throw .malformedField(name, "The field must be a whole number, 0 or greater.")
        }
        return number
    }
}

extension FixedWidthInteger {
    /// Parses decimal digits, with an optional minus sign if the type is signed. Nil for any other text.
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
