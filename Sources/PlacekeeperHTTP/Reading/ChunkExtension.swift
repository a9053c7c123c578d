/// Checks the grammar of chunk extensions (RFC 9112 section 7.1.1) byte by byte, without storing them.
///
///     chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )
struct ChunkExtension: Sendable {
    private enum Phase: UInt8 {
        case start, beforeName, name, beforeValue, value, quoted, escaped, afterValue
    }

    private var phase = Phase.start
    private var hasBlank = false

    /// Whether the chunk size line may end here.
    var mayEnd: Bool {
        switch phase {
        case .name, .value, .afterValue: !hasBlank
        default: false
        }
    }

    mutating func take(_ byte: UInt8) throws(Fault) {
        if phase == .escaped || phase == .quoted { return try takeQuoted(byte) }
        if Grammar.isWhiteSpace(byte) {
            hasBlank = true
            return
        }
        switch phase {
        case .beforeName where Grammar.isToken(byte): phase = .name
        case .name where Grammar.isToken(byte) && !hasBlank: break
        case .name where byte == 0x3D: phase = .beforeValue
        case .beforeValue where byte == 0x22: phase = .quoted
        case .beforeValue where Grammar.isToken(byte): phase = .value
        case .value where Grammar.isToken(byte) && !hasBlank: break
        case .start where byte == 0x3B, .name where byte == 0x3B, .value where byte == 0x3B,
            .afterValue where byte == 0x3B:
            phase = .beforeName
        default: throw .misplaced(byte, otherwise: .chunkExtensionInvalid)
        }
        hasBlank = false
    }

    private mutating func takeQuoted(_ byte: UInt8) throws(Fault) {
        guard Grammar.isFieldValue(byte) else { throw .misplaced(byte, otherwise: .chunkExtensionInvalid) }
        switch (phase, byte) {
        case (.escaped, _): phase = .quoted
        case (_, 0x5C): phase = .escaped
        case (_, 0x22): phase = .afterValue
        default: break
        }
    }
}
