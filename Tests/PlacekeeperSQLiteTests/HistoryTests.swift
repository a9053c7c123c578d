import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

struct HistoryTests {
    /// Pairs of archives share a capture time, so that the revision decides the order in each pair.
    @Test func pagesThroughFiveThousandArchives() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(0), retention: 20)
        try await store.writer.write { transaction throws(StoreError) in
            transaction.users.forgetAll()
            try transaction.connection.execute(
                """
                INSERT INTO archive
                WITH RECURSIVE number (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 5000)
                SELECT scene, captured_at + n / 2, n, sequence, n, CAST(printf('%016d', n) AS BLOB), content, device,
                    written_at, received_at, idiom, layout, bundle_version, system_version, state_version, digest, size,
                    place, object_count, reference_count, has_screenshot, has_outcomes, is_servable, is_view_only
                FROM archive, number;
                """)
        }
        var archives: [Archive] = []
        while case let page = try await store.history(
            of: scene(), below: archives.last?.position, limit: 100
        ).archives, !page.isEmpty {
            #expect(page.count == 100)
            archives += page
        }
        #expect(archives.map(\.revision.rawValue) == (1...5000).reversed())
        let heads = try await store.heads(of: owner(), below: nil, limit: 100)
        #expect(heads.map(\.archive.revision.rawValue) == [5000])

        _ = try await store.put(sample(9999), retention: 20)
        #expect(try await store.numbers().count == 20)
    }

    @Test func readsPageAndItsHeadInOneTransaction() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        try await withThrowingTaskGroup { group in
            group.addTask {
                for number in 2...400 as ClosedRange<UInt64> { _ = try await store.put(sample(number), retention: 20) }
            }
            group.addTask {
                var last = Revision(rawValue: 0)
                // If a write fails, this task is canceled.
                while last < Revision(rawValue: 400), !Task.isCancelled {
                    let page = try await store.history(of: scene(), below: nil, limit: 5)
                    try #require(page.archives.first?.revision == page.head)
                    last = page.head ?? last
                    // A read may go on without a suspension, and would then leave no thread to the writer.
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
    }
}
