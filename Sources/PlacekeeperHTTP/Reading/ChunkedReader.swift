/// Decodes the chunked transfer coding (RFC 9112 section 7.1). Checks and drops extensions and trailers.
struct ChunkedReader: Sendable {
    enum Step {
        case needsMore
        case data(Range<Int>)
        case end
    }

    private enum Phase: UInt8 {
        case size, sizeExtension, sizeEnd, data, dataReturn, dataEnd
        case trailerStart, trailerName, trailerValue, trailerLineEnd, end
    }

    private var phase = Phase.size
    /// While the chunk size is being read, the value of its digits so far. Afterward, the number of bytes of the chunk
    /// that haven't arrived.
    private var remaining = 0
    private var digits = 0
    private var grammar = ChunkExtension()
    private var extensionBytes = 0
    private var trailerBytes = 0
    private var trailerFields = 0
    private var nameLength = 0

    /// Returns the next step in `bytes`, and how many bytes it consumed.
    mutating func next(
        _ bytes: UnsafeRawBufferPointer, limits: RequestDecoder.Limits
    ) throws(Fault) -> (step: Step, consumed: Int) {
        var index = 0
        while index < bytes.count {
            if phase == .data {
                let end = index + min(remaining, bytes.count - index)
                remaining -= end - index
                if remaining == 0 { phase = .dataReturn }
                return (.data(index..<end), end)
            }
            let isEnd = phase == .end
            try take(bytes[index], limits)
            index += 1
            if isEnd { return (.end, index) }
        }
        return (.needsMore, index)
    }

    private mutating func take(_ byte: UInt8, _ limits: RequestDecoder.Limits) throws(Fault) {
        switch phase {
        case .size: try takeSize(byte, limits)
        case .sizeExtension: try takeExtension(byte, limits)
        case .sizeEnd:
            try expectLineFeed(byte)
            phase = remaining > 0 ? .data : .trailerStart
            digits = 0
        case .data: break
        case .dataReturn:
            guard byte == Grammar.carriageReturn else { throw .chunkUnterminated }
            phase = .dataEnd
        case .dataEnd:
            guard byte == Grammar.lineFeed else { throw .chunkUnterminated }
            phase = .size
        case .trailerStart, .trailerName, .trailerValue, .trailerLineEnd, .end: try takeTrailer(byte, limits)
        }
    }

    private mutating func takeSize(_ byte: UInt8, _ limits: RequestDecoder.Limits) throws(Fault) {
        guard let digit = Grammar.hexValue(byte) else {
            guard digits > 0 else { throw .misplaced(byte, otherwise: .chunkSizeInvalid) }
            if byte == Grammar.carriageReturn {
                phase = .sizeEnd
            } else if byte == 0x3B || Grammar.isWhiteSpace(byte) {
                grammar = ChunkExtension()
                phase = .sizeExtension
                try takeExtension(byte, limits)
            } else {
                throw .misplaced(byte, otherwise: .chunkSizeInvalid)
            }
            return
        }
        // Sixteen digits are enough for any length. No legitimate client pads a size with more zeros.
        guard digits < 16, remaining >> 59 == 0 else { throw .chunkSizeTooLarge }
        remaining = remaining << 4 | Int(digit)
        digits += 1
    }

    /// Reads a byte of an extension. The limit applies to the whole message: a limit per line would allow kilobytes of
    /// extensions for each byte of data (RFC 9112 section 7.1.1).
    private mutating func takeExtension(_ byte: UInt8, _ limits: RequestDecoder.Limits) throws(Fault) {
        if byte == Grammar.carriageReturn {
            guard grammar.mayEnd else { throw .chunkExtensionInvalid }
            phase = .sizeEnd
            return
        }
        extensionBytes += 1
        guard extensionBytes <= limits.chunkExtensions else { throw .chunkExtensionsTooLong }
        try grammar.take(byte)
    }

    /// Reads a byte of the trailer section. Trailer fields have the grammar of fields, but are never merged into the
    /// head: a trailer field must not frame or route a message (RFC 9110 section 6.5).
    private mutating func takeTrailer(_ byte: UInt8, _ limits: RequestDecoder.Limits) throws(Fault) {
        trailerBytes += 1
        guard trailerBytes <= limits.trailers else { throw .trailersTooLarge }
        switch phase {
        case .trailerStart where byte == Grammar.carriageReturn:
            phase = .end
        case .trailerStart:
            guard !Grammar.isWhiteSpace(byte) else { throw .lineFolding }
            trailerFields += 1
            guard trailerFields <= limits.fieldCount else { throw .trailersTooLarge }
            nameLength = 0
            phase = .trailerName
            try takeTrailerName(byte)
        case .trailerName:
            try takeTrailerName(byte)
        case .trailerValue where byte == Grammar.carriageReturn:
            phase = .trailerLineEnd
        case .trailerValue:
            guard Grammar.isFieldValue(byte) else { throw .misplaced(byte, otherwise: .controlByte) }
        case .end:
            try expectLineFeed(byte)
        default:
            try expectLineFeed(byte)
            phase = .trailerStart
        }
    }

    private mutating func takeTrailerName(_ byte: UInt8) throws(Fault) {
        if Grammar.isToken(byte) {
            nameLength += 1
        } else if byte == 0x3A, nameLength > 0 {
            phase = .trailerValue
        } else {
            let isSpace = nameLength > 0 && Grammar.isWhiteSpace(byte)
            throw .misplaced(byte, otherwise: isSpace ? .spaceBeforeColon : .fieldNameInvalid)
        }
    }

    private func expectLineFeed(_ byte: UInt8) throws(Fault) {
        guard byte == Grammar.lineFeed else { throw .bareCarriageReturn }
    }
}
