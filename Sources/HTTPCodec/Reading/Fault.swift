/// What makes the codec refuse a message: one case for each answer, its raw value the stable code.
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
        case .requestLineMalformed: "The request line is not a method, a target and a version, one space between each."
        case .methodInvalid: "The method is not a token."
        case .methodNotImplemented: "This server does not tunnel: CONNECT is not implemented."
        case .targetInvalid: "The request target is not in a form that its method allows."
        case .targetEncodingInvalid: "A percent sign in the request target is not followed by two hexadecimal digits."
        case .versionMalformed: "The HTTP version is malformed."
        case .versionUnsupported: "Only HTTP/1.0 and HTTP/1.1 are spoken here."
        case .requestLineTooLong: "The request line is too long."
        case .headTooLarge: "The head of the request is too large."
        case .tooManyFields: "The request has too many fields."
        case .bareCarriageReturn: "A carriage return is not followed by a line feed."
        case .bareLineFeed: "A line feed is not preceded by a carriage return."
        case .controlByte: "A control byte stands where none may."
        case .lineFolding: "A field line begins with white space."
        case .fieldNameInvalid: "A field name is empty or not a token, or its colon is missing."
        case .spaceBeforeColon: "White space stands between a field name and its colon."
        case .hostMissing: "The Host field is missing."
        case .hostRepeated: "The Host field is given more than once."
        case .hostInvalid: "The Host field or the target's authority is not a host with an optional port."
        case .contentLengthInvalid: "Content-Length is not a decimal number."
        case .contentLengthRepeated: "Content-Length is given more than once."
        case .contentLengthTooLarge: "Content-Length is too large to be a length."
        case .transferEncodingInvalid: "Transfer-Encoding is not a list of codings."
        case .transferEncodingWithContentLength: "Transfer-Encoding and Content-Length are both given."
        case .transferEncodingInOldVersion: "Transfer-Encoding is given in an HTTP/1.0 request."
        case .transferCodingUnsupported: "Only the chunked transfer coding is implemented."
        case .chunkedRepeated: "The chunked transfer coding is applied more than once."
        case .chunkedNotLast: "The chunked transfer coding is not the last one."
        case .expectationUnsupported: "Only the expectation 100-continue can be met."
        case .chunkSizeInvalid: "A chunk's size is not a hexadecimal number."
        case .chunkSizeTooLarge: "A chunk's size is too large to be a length."
        case .chunkExtensionInvalid: "A chunk extension is malformed."
        case .chunkExtensionsTooLong: "The chunk extensions are too long."
        case .chunkUnterminated: "A chunk's data does not end where its size says."
        case .trailersTooLarge: "The trailer section is too large."
        case .messageIncomplete: "The connection was closed inside a message."
        }
    }

    /// What to say of a byte that ends a run of allowed ones: line ends and control bytes by their own names.
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
