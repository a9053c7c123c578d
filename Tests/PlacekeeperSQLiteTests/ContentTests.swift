import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

struct ContentTests {
    @Test(arguments: [(65_535, Content.Encoding.plain), (65_536, .compressed), (100_000, .compressed)])
    func compressesArchivesFromTheConfiguredSize(_ size: Int, _ encoding: Content.Encoding) async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let bytes = [UInt8](repeating: 7, count: size)
        guard case .created(let archive, _) = try await store.put(sample(1, bytes: bytes), retention: 20).value else {
            return #expect(Bool(false), "not created")
        }
        #expect(archive.size == size)
        #expect(try await store.bytes(of: archive) == bytes)
        let stored = try store.readers.read { connection throws(StoreError) in
            try connection.value("SELECT encoding || ' ' || length(bytes) FROM content")
        }
        #expect(stored == "\(encoding.rawValue) \(encoding == .plain ? size : 1)")
    }

    @Test func storesIncompressibleBytesPlain() throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        let content = Content(bytes, compressing: 8192, with: RunLength())
        #expect(content.encoding == .plain)
        #expect(try content.original(count: bytes.count, with: RunLength()) == bytes)
    }

    @Test func storesEmptyArchive() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        guard case .created(let archive, _) = try await store.put(sample(1, bytes: []), retention: 20).value else {
            return #expect(Bool(false), "not created")
        }
        #expect(try await store.bytes(of: archive) == [])
    }

    @Test func rejectsDamagedBytesAndUnknownEncodings() throws {
        #expect(throws: StoreError.self) { try Content(encoding: 2, bytes: []) }
        let damaged = try Content(encoding: 1, bytes: [1, 2])
        let failure = #expect(throws: StoreError.self) { try damaged.original(count: 5, with: RunLength()) }
        #expect(failure?.code == .corrupt)
    }

    /// The store writes new contents into the rows of removed ones.
    @Test func keepsContentsOfArchivesBesideRemovedOnes() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        for number in 1...40 as ClosedRange<UInt64> {
            _ = try await store.put(
                sample(number, bytes: Array(repeating: UInt8(number), count: Int(number) * 100)), retention: 5)
        }
        for archive in try await store.history(of: scene(), below: nil, limit: 5).archives {
            let bytes = try #require(try await store.bytes(of: archive))
            #expect(bytes == Array(repeating: UInt8(archive.id.low), count: archive.size))
        }
    }
}
