import HTTPCodec
import KeyedArchive
import PlacekeeperAPI
import RestorationService

/// A request that found its route, and what its path and fields say.
struct RequestContext: Sendable {
    var request: Request
    var match: Router.Match
    var bodyLimit: BodyLimit
    /// Counts the memory that is held for the body besides its bytes; nil where nothing is counted.
    let reservation: Reservation?

    init(request: Request, match: Router.Match, bodyLimit: BodyLimit) {
        self.request = request
        self.match = match
        self.bodyLimit = bodyLimit
        reservation = Reservation(for: request)
    }

    var head: RequestHead { request.head }

    /// Whether the path begins with a scene: the only ones that have one are those below `/v1/scenes`.
    var isAboutScene: Bool {
        request.head.bytes[request.head.path].starts(with: "/v1/scenes/".utf8)
    }

    /// The scene's name, the first segment that varies.
    func scene() throws(Problem) -> String {
        guard let name = text(match.parameters.0) else {
            var problem = Problem(.malformedPath, "The scene's name is not UTF-8\(Self.markLimit).")
            problem.document.parameter = "scene"
            throw problem
        }
        return name
    }

    /// The id of an archive, the second segment that varies; nil when it is none, so that nothing can have it.
    var archive: ArchiveID? { ArchiveID(head.bytes[match.parameters.1]) }

    /// The id of an archive that must be there.
    func storedArchive() throws(Problem) -> ArchiveID {
        guard let archive else { throw Problem(.archiveNotFound, "There is no such archive.") }
        return archive
    }
}

// Reading fields and the query.
extension RequestContext {
    /// A query parameter's text; nil when there is none.
    func query(_ name: StaticString) throws(Problem) -> String? {
        guard let parameter = head.queryParameter(name) else { return nil }
        guard let text = text(parameter.value) else {
            throw .malformedQuery(name, "The parameter is not UTF-8\(Self.markLimit).")
        }
        return text
    }

    /// The text of a part of the target; nil where it is not UTF-8, or has too many combining marks in a
    /// row.
    func text(_ range: Range<Int>) -> String? {
        guard let text = head.percentDecoded(range), !text.hasLongCombiningRun else { return nil }
        return text
    }

    static let markLimit = ", or has more than \(CombiningRun.limit) combining marks in a row"

    /// A whole number in the query, within a range; nil when there is none.
    func number<Number: FixedWidthInteger>(_ name: StaticString, in range: ClosedRange<Number>) throws(Problem)
        -> Number?
    {
        guard let parameter = head.queryParameter(name) else { return nil }
        guard let number = Number(decimal: head.bytes[parameter.value]), range.contains(number) else {
            throw .malformedQuery(
                name, "The parameter is a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// A field that is a whole number from 0; nil when there is none.
    func number(_ name: FieldName) throws(Problem) -> Int64? {
        guard let value = head[name] else { return nil }
        guard let number = Int64(decimal: value), number >= 0 else {
            throw .malformedField(name, "The field is a whole number from 0.")
        }
        return number
    }
}

extension FixedWidthInteger {
    /// Reads decimal digits, with a minus before them where the type has a sign; nil for anything else.
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
