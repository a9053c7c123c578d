// Built by `run.sh` into one module with the codec. Any bytes may come: the decoder neither reads outside them nor
// traps, says the same however they are split, and every head that it lets through answers every question.

/// Feeds the input whole and in pieces, and compares.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPDecoder(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: data, count: count)
    let whole = FuzzTranscript(of: input) { count }
    // The pieces' lengths come from the input, so that a finding repeats.
    var state = input.reduce(into: UInt64(count)) { $0 = ($0 &+ UInt64($1)) &* 0x9E37_79B9_7F4A_7C15 }
    let split = FuzzTranscript(of: input) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 60) + 1
    }
    precondition(split == whole, "the split changed what was read")
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
            precondition(end - start <= limits.head, "more is kept than a head may measure")
        }
        isInsideMessage = decoder.isInsideMessage
    }

    /// Takes one event of bytes in memory of just their size: a read past the end is seen.
    private mutating func take(
        _ decoder: inout RequestDecoder, _ input: UnsafeRawBufferPointer, _ start: inout Int
    ) -> Bool {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 1)
        defer { bytes.deallocate() }
        bytes.copyMemory(from: input)
        let (event, consumed) = decoder.next(UnsafeRawBufferPointer(bytes))
        precondition((0...bytes.count).contains(consumed), "it consumed what was not there")
        start += consumed
        switch event {
        case .needsMore: return false
        case .head(let head):
            heads.append(head.bytes)
            question(head)
        case .body(let range):
            precondition(!range.isEmpty && range.upperBound <= consumed, "content was not consumed")
            content += bytes[range]
        case .end: ends.append(content.count)
        case .refused(let refusal): self.refusal = refusal
        }
        return true
    }

    private func question(_ head: RequestHead) {
        precondition(head.minorVersion == 0 || head.authority != nil, "a request without a host was let through")
        for field in head.fields { precondition(!field.name.isEmpty && field.value.upperBound <= head.bytes.count) }
        let tag: [UInt8] = [0x22, 0x31, 0x22]
        _ = (head.pathSegments, head.queryParameter("a"), head.bearerToken, head.acceptsGzip, head.contentCoding)
        _ = (
            head.ifNoneMatchNames(tag), head.ifMatchNames(tag), head.contentIs("text/plain"), head.members(of: .accept)
        )
        for parameter in head.queryParameters { _ = head.percentDecoded(parameter.value) }
    }
}
