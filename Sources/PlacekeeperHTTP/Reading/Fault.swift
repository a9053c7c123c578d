/// A fault for which the codec rejects a message. The raw value is the stable code in the response.
enum Fault: String, Error, CaseIterable {
    case requestLineMalformed = "request-line-malformed"
    case methodInvalid = "method-invalid"
    case methodNotImplemented = "method-not-implemented"
    case targetInvalid = "target-invalid"
    case targetEncodingInvalid = "target-percent-encoding-invalid"
    case versionMalformed = "http-version-malformed"
    case versionUnsupported = "http-version-unsupported"
    case requestLineTooLong = "request-line-too-long"
    case headTooLarge = "head-too-large"
    case tooManyFields = "too-many-fields"
    case bareCarriageReturn = "bare-carriage-return"
    case bareLineFeed = "bare-line-feed"
    case controlByte = "control-byte"
    case lineFolding = "line-folding"
    case fieldNameInvalid = "field-name-invalid"
    case spaceBeforeColon = "space-before-colon"
    case hostMissing = "host-missing"
    case hostRepeated = "host-repeated"
    case hostInvalid = "host-invalid"
    case contentLengthInvalid = "content-length-invalid"
    case contentLengthRepeated = "content-length-repeated"
    case contentLengthTooLarge = "content-length-too-large"
    case transferEncodingInvalid = "transfer-encoding-invalid"
    case transferEncodingWithContentLength = "transfer-encoding-with-content-length"
    case transferEncodingInOldVersion = "transfer-encoding-in-http-1-0"
    case transferCodingUnsupported = "transfer-coding-unsupported"
    case chunkedRepeated = "chunked-repeated"
    case chunkedNotLast = "chunked-not-last"
    case expectationUnsupported = "expectation-unsupported"
    case chunkSizeInvalid = "chunk-size-invalid"
    case chunkSizeTooLarge = "chunk-size-too-large"
    case chunkExtensionInvalid = "chunk-extension-invalid"
    case chunkExtensionsTooLong = "chunk-extensions-too-long"
    case chunkUnterminated = "chunk-unterminated"
    case trailersTooLarge = "trailers-too-large"
    case messageIncomplete = "message-incomplete"
    // Faults of responses
    case statusMalformed = "status-malformed"
    case tooManyInterimResponses = "too-many-interim-responses"
    case bodyTooLarge = "body-too-large"

    var status: Status {
        switch self {
        case .requestLineTooLong: .uriTooLong
        case .headTooLarge, .tooManyFields, .trailersTooLarge: .requestHeaderFieldsTooLarge
        case .versionUnsupported: .httpVersionNotSupported
        case .methodNotImplemented, .transferCodingUnsupported: .notImplemented
        case .expectationUnsupported: .expectationFailed
        default: .badRequest
        }
    }

    var message: String {
        switch self {
        case .requestLineMalformed: "The request line is not a method, target and version separated by single spaces."
        case .methodInvalid: "The method is empty or contains a character that is not allowed in a token."
        case .methodNotImplemented: "CONNECT is not implemented: this server does not open tunnels."
        case .targetInvalid: "The form of the request target is not allowed for its method."
        case .targetEncodingInvalid: "A percent sign in the request target is not followed by two hexadecimal digits."
        case .versionMalformed: "The HTTP version is malformed."
        case .versionUnsupported: "This server supports only HTTP/1.0 and HTTP/1.1."
        case .requestLineTooLong: "The request line is too long."
        case .headTooLarge: "The request head is too large."
        case .tooManyFields: "The request has too many fields."
        case .bareCarriageReturn: "A carriage return is not followed by a line feed."
        case .bareLineFeed: "A line feed is not preceded by a carriage return."
        case .controlByte: "A control character is not allowed here."
        case .lineFolding: "A field line begins with white space."
        case .fieldNameInvalid: "A field name is empty or not a token, or its colon is missing."
        case .spaceBeforeColon: "There is white space between a field name and its colon."
        case .hostMissing: "The Host field is missing."
        case .hostRepeated: "The request has more than one Host field."
        case .hostInvalid: "The Host field or the target's authority is not a host with an optional port."
        case .contentLengthInvalid: "Content-Length is not a decimal number."
        case .contentLengthRepeated: "The request has more than one Content-Length field."
        case .contentLengthTooLarge: "Content-Length is larger than a 63-bit number."
        case .transferEncodingInvalid: "Transfer-Encoding is not a valid list of transfer codings."
        case .transferEncodingWithContentLength: "The request has both Transfer-Encoding and Content-Length."
        case .transferEncodingInOldVersion: "An HTTP/1.0 request cannot use Transfer-Encoding."
        case .transferCodingUnsupported: "This server supports only the chunked transfer coding."
        case .chunkedRepeated: "The chunked transfer coding is applied more than once."
        case .chunkedNotLast: "The chunked transfer coding is not the last one."
        case .expectationUnsupported: "This server supports only the expectation 100-continue."
        case .chunkSizeInvalid: "A chunk's size is not a hexadecimal number."
        case .chunkSizeTooLarge: "A chunk's size is longer than 16 digits or larger than a 63-bit number."
        case .chunkExtensionInvalid: "A chunk extension is malformed."
        case .chunkExtensionsTooLong: "The chunk extensions of the request are too long in total."
        case .chunkUnterminated: "A chunk's data does not end where its size says."
        case .trailersTooLarge: "The trailer section is too large."
        case .messageIncomplete: "The connection was closed before the request was complete."
        case .statusMalformed: "The status code is not a number from 100 to 599, or the space after it is missing."
        case .tooManyInterimResponses: "There are too many interim responses before the response."
        case .bodyTooLarge: "The body of the response is too large."
        }
    }

    /// Returns the fault for a byte that isn't allowed at its position. Line feeds and most control bytes have their
    /// own faults. For any other byte, returns `fault`.
    static func misplaced(_ byte: UInt8, otherwise fault: Fault) -> Fault {
        switch byte {
        case Grammar.lineFeed: .bareLineFeed
        case Grammar.carriageReturn, Grammar.tab: fault
        case 0..<0x20, 0x7F: .controlByte
        default: fault
        }
    }
}

extension Refusal {
    init(_ fault: Fault) { self.init(fault.status, code: fault.rawValue, fault.message) }
}
