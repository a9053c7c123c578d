import Testing

@testable import placekeeper

@Suite struct ByteCountTests {
    @Test(arguments: [
        ("0", 0), ("1048576", 1 << 20), ("7B", 7), ("1kB", 1000), ("1KB", 1000), ("1KiB", 1024),
        ("10GB", 10_000_000_000), ("10 GB", 10_000_000_000), ("10gb", 10_000_000_000), ("10GiB", 10 << 30),
        ("3MB", 3_000_000), ("3MiB", 3 << 20),
        ("2TB", 2_000_000_000_000), ("2TiB", 2 << 40), ("9223372036854775807", .max),
    ])
    func readsDecimalAndBinaryUnits(text: String, bytes: Int) {
        #expect(ByteCount.parse(text) == bytes)
    }

    /// One letter alone is decimal for some programs and binary for others.
    @Test(arguments: [
        "", "GB", " 1GB", "1GB ", "-1", "+1", "1.5GB", "1e9", "10G", "10K", "1GBs", "1 G B", "١GB", "0x10", "1PB",
        "9223372036854775808", "9223372036854775807kB", "8388608TiB", "1\u{2126}B", "1\u{301}GB",
    ])
    func refusesOtherTexts(text: String) {
        #expect(ByteCount.parse(text) == nil)
    }

    @Test(arguments: [
        (0, "0"), (1, "1"), (1001, "1001"), (1000, "1kB"), (1 << 20, "1MiB"), (512 << 20, "512MiB"), (500_000, "500kB"),
        (10_000_000_000, "10GB"), (1 << 50, "1024TiB"), (1025, "1025"),
    ])
    func writesTheShortestText(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
        #expect(ByteCount.parse(text) == bytes)
    }

    @Test(arguments: [
        ("1048575", "give a size from 1MiB to 1024TiB"), ("1125899906842625", "give a size from 1MiB to 1024TiB"),
        ("10G", "give a size like 10GB (decimal), 10GiB (binary) or a number of bytes"),
        ("", "give a size like 10GB"),
    ])
    func namesTheBoundsOfAnOption(text: String, says: String) {
        var arguments = Arguments()
        arguments.flags = ["maximum-bytes": [text]]
        let failure = #expect(throws: CommandFailure.self) { try arguments.maximumBytes() }
        #expect(failure?.exit == .usage)
        let message = failure?.message ?? ""
        #expect(message.hasPrefix("--maximum-bytes is \"\(text)\": \(says)"), "\(message)")
    }

    @Test(arguments: [("1MiB", 1 << 20), ("1024TiB", 1 << 50), ("10GB", 10_000_000_000)])
    func acceptsTheBoundsOfAnOption(text: String, bytes: Int) throws {
        var arguments = Arguments()
        arguments.environment = ["PLACEKEEPER_MAXIMUM_BYTES": text]
        #expect(try arguments.maximumBytes() == bytes)
    }
}
