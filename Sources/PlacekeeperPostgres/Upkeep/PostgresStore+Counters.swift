package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    package func add(_ counts: [Counter: Int]) async throws(StoreError) {
        // All transactions use the same order, so they never deadlock.
        var rows: [CounterRow: Int64] = [:]
        for (counter, count) in counts { rows[CounterRow(counter), default: 0] += Int64(count) }
        let sorted = rows.sorted { $0.key < $1.key }
        for start in stride(from: 0, to: sorted.count, by: 1000) {
            let part = sorted[start..<min(start + 1000, sorted.count)]
            try await write([
                Statement(
                    """
                    INSERT INTO counter (hour, app, name, label, count)
                    SELECT * FROM unnest($1, $2, $3, $4, $5) AS new (hour, app, name, label, count)
                    ON CONFLICT (hour, app, name, label) DO UPDATE SET count = counter.count + EXCLUDED.count
                    """, .ints(part.map(\.key.hour)), .byteArrays(part.map(\.key.app)), .texts(part.map(\.key.name)),
                    .byteArrays(part.map(\.key.label)), .ints(part.map(\.value)))
            ])
        }
    }

    private struct CounterRow: Hashable, Comparable {
        var hour: Int64
        var app: [UInt8]
        var name: String
        var label: [UInt8]

        init(_ counter: Counter) {
            hour = counter.hour
            app = counter.app?.bytes ?? []
            name = counter.name
            label = Array(counter.labelAndGroup.utf8)
        }

        static func < (left: CounterRow, right: CounterRow) -> Bool {
            if left.hour != right.hour { return left.hour < right.hour }
            if left.app != right.app { return left.app.lexicographicallyPrecedes(right.app) }
            if left.name != right.name { return left.name.utf8.lexicographicallyPrecedes(right.name.utf8) }
            return left.label.lexicographicallyPrecedes(right.label)
        }
    }

    private static let columns = "SELECT hour, app, name, label, count FROM counter WHERE hour >= $1 AND hour <= $2"

    package func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int] {
        try counts(try await rows(Self.columns, .int(start.hour), .int(end.hour)), CounterSums(from: start.hour))
    }

    package func counts(
        of app: AppID?, named name: String?, from start: Timestamp, to end: Timestamp, each hours: Int
    ) async throws(StoreError) -> [Counter: Int] {
        try counts(
            try await rows(
                "\(Self.columns) AND app = $3 AND ($4 IS NULL OR name = $4)", .int(start.hour), .int(end.hour),
                .bytes(app?.bytes ?? []), .text(name)), CounterSums(from: start.hour, each: hours))
    }

    package func dropCounts(named name: String, after time: Timestamp) async throws(StoreError) {
        try await write([
            Statement("DELETE FROM counter WHERE hour > $1 AND name = $2", .int(time.hour), .text(name))
        ])
    }

    private func counts(_ rows: Rows, _ empty: CounterSums) throws(StoreError) -> [Counter: Int] {
        var sums = empty
        _ = try rows.map(leavingOut: damaged, "a counter") { row throws(StoreError) in
            let (hour, app, name) = (try row.number(.hour), try row.optionalAppID(), try row.text())
            let label = try row.text()
            sums.add(try row.count(), hour: hour, app: app, name: name, labelAndGroup: label)
        }
        return sums.counts
    }
}

extension Row {
    /// Reads an app's id, or returns `nil` if the column is empty.
    fileprivate mutating func optionalAppID() throws(StoreError) -> AppID? {
        let bytes = try bytes()
        guard !bytes.isEmpty else { return nil }
        guard bytes.count == 16 else { throw .corrupt("An identifier does not have 16 bytes.") }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return AppID(high: word(bytes.prefix(8)), low: word(bytes.suffix(8)))
    }
}
