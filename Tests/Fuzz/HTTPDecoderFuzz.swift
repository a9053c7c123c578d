// `Tests/Fuzz/run.sh` compiles this file into one module with the codec. For all input bytes, the decoder must not read
// outside the input and must not trap. It must give the same results however the input is split. All accessors of an
// accepted request head must work.

/// Decodes the input whole and in pieces, and compares the results.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPDecoder(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: data, count: count)
    let whole = FuzzTranscript(of: input) { count }
    // The lengths of the pieces are derived from the input, so that a failure can be repeated.
    var state = input.reduce(into: UInt64(count)) { $0 = ($0 &+ UInt64($1)) &* 0x9E37_79B9_7F4A_7C15 }
    let split = FuzzTranscript(of: input) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 60) + 1
    }
    precondition(split == whole, "the results depend on how the input is split")
    return 0
}

private struct FuzzTranscript: Equatable {
    var heads: [[UInt8]] = []
    var content: [UInt8] = []
    var ends: [Int] = []
    var refusal: Refusal?
    var isInsideMessage = false

    init(of input: UnsafeRawBufferPointer, lengths: () -> Int) {
        var limits = RequestDecoder.Limits()
        limits.requestLine = 256
        limits.head = 1024
        limits.fieldCount = 16
        limits.chunkExtensions = 64
        limits.trailers = 128
        var decoder = RequestDecoder(limits: limits)
        var start = 0
        var end = 0
        while end < input.count {
            end = min(end + lengths(), input.count)
            while take(&decoder, UnsafeRawBufferPointer(rebasing: input[start..<end]), &start) {}
            precondition(end - start <= limits.head, "the decoder keeps more bytes than the limit for a head")
        }
        isInsideMessage = decoder.isInsideMessage
    }

    /// Decodes one event from memory of exactly the input's size, so that a read past the end is detected.
    private mutating func take(
        _ decoder: inout RequestDecoder, _ input: UnsafeRawBufferPointer, _ start: inout Int
    ) -> Bool {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 1)
        defer { bytes.deallocate() }
        bytes.copyMemory(from: input)
        let (event, consumed) = decoder.next(UnsafeRawBufferPointer(bytes))
        precondition((0...bytes.count).contains(consumed), "the decoder consumed bytes beyond the input")
        start += consumed
        switch event {
        case .needsMore: return false
        case .head(let head):
            heads.append(head.bytes)
            question(head)
        case .body(let range):
            precondition(!range.isEmpty && range.upperBound <= consumed, "the decoder did not consume the content")
            content += bytes[range]
        case .end: ends.append(content.count)
        case .refused(let refusal): self.refusal = refusal
        }
        return true
    }

    private func question(_ head: RequestHead) {
        precondition(head.minorVersion == 0 || head.authority != nil, "the decoder accepted a request without a host")
        for field in head.fields { precondition(!field.name.isEmpty && field.value.upperBound <= head.bytes.count) }
        let tag: [UInt8] = [0x22, 0x31, 0x22]
        _ = (head.percentDecoded(head.path), head.bearerToken, head.acceptsGzip, head.contentCoding)
        _ = (head.ifNoneMatchNames(tag), head.ifMatchNames(tag), head.members(of: .accept))
        if let parameter = head.queryParameter("a") { _ = head.percentDecoded(parameter.value) }
    }
}
