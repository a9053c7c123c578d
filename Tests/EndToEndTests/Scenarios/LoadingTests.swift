import PlacekeeperAPI
import Testing

/// Tests of loading many items as JSON lines. An interrupted load is complete after the client sends it again.
@Suite(.timeLimit(.minutes(20)), .onOwnThreads) struct LoadingTests {
    /// Enough items for three deltas of at most 10,000 lines each.
    private static let items = (0..<25_000).map { number in
        Wire.Item("x-coredata://6F0E/Photo/p\(number)", "server:\(number)", position: Int64(number) * 1000)
    }

    @Test func storesNothingOfALoadThatTheClientBreaksOff() async throws {
        try await withDevice { _, phone in
            _ = try await phone.declare()
            try await phone.register([Wire.Item("p1", "one")])
            let body = try lines(of: Self.items)
            let head = """
                PATCH /v1/data-sources/photos/items HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(phone.token)\r
                Content-Type: application/x-ndjson\r\n
                """
            for (framing, part) in [
                ("Content-Length: \(body.count)", Array(body.dropLast(40))),
                ("Transfer-Encoding: chunked", Array("ffff\r\n".utf8) + body.prefix(0xFFFF) + Array("\r\n".utf8)),
            ] {
                let line = try Line(port: phone.app.address.port)
                try await line.send(Array("\(head)\(framing)\r\n\r\n".utf8) + part)
                try await line.run { $0.finishSending() }
                // If the client still reads, it gets a response that refuses the incomplete body.
                #expect(try await line.reply(to: "PATCH").status == 400)
                #expect(try await phone.registration().count == 1)
            }
            try await phone.register(removals: ["p1"])
            let done = try await phone.load(body).json(Wire.RegistrationState.self)
            #expect(done.count == Self.items.count)
            #expect(done.digest == digest(of: Self.items))
            #expect(try await phone.registration() == done)
            #expect(
                try await phone.load(body).json(Wire.RegistrationState.self) == done, "the same again is nothing new")
        }
    }

    /// The client sends the whole load each time. The service is killed when at least zero, one or two deltas are
    /// stored.
    @Test func completesALoadAfterTheServiceIsKilled() async throws {
        var service = try RunningService()
        let app = try TestApp(key: service.createApp(), address: ServiceAddress(port: service.port))
        let person = app.person()
        let (phone, other) = (try await person.device(.phone), try await person.device(.phone))
        _ = try await phone.declare()
        _ = try await other.register([Wire.Item("q7", "server:7")])
        let body = try lines(of: Self.items)
        for kept in [0, 1, 2] as [Int64] {
            let loader = try Line(port: service.port)
            let head = """
                PATCH /v1/data-sources/photos/items HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(phone.token)\r
                Content-Type: application/x-ndjson\r\nContent-Length: \(body.count)\r\n\r\n
                """
            try await loader.send(Array(head.utf8) + body)
            while try await phone.registration().cursor < kept {}
            service.kill()
            service = try RunningService(data: service.data)
            app.address.port = service.port
            // Each delta is stored completely or not at all.
            let state = try await phone.registration()
            #expect(state.cursor >= kept)
            #expect(state.count == min(Int(state.cursor) * 10_000, Self.items.count))
            #expect(state.digest == digest(of: Self.items.prefix(state.count)))
            #expect(try TestDatabase.findings(in: service.data.path) == [])
        }
        let done = try await phone.load(body).json(Wire.RegistrationState.self)
        #expect(done == Wire.RegistrationState(cursor: 3, digest: digest(of: Self.items), count: Self.items.count))
        let found = try await phone.resolve(["q7"], of: other)
        #expect(found.map(\.identifier) == ["x-coredata://6F0E/Photo/p7"])
        #expect(service.stop() == .exit(0))
    }

    /// Two devices of a person register items until the service is killed. Acknowledged deltas are stored. A delta
    /// without a response is stored completely or not at all, and is applied only once if the device repeats it.
    @Test func keepsAcknowledgedDeltasAfterKills() async throws {
        var service = try RunningService()
        let app = try TestApp(key: service.createApp(), address: ServiceAddress(port: service.port))
        let person = app.person()
        let devices = [try await person.device(.phone), try await person.device(.pad)]
        _ = try await devices[0].declare()
        var ledgers = [Ledger](repeating: Ledger(), count: devices.count)
        for _ in 0..<4 {
            let enough = Int64.random(in: 5...40)
            let running = service
            let goals = ledgers.map { $0.cursor + enough }
            ledgers = try await withThrowingTaskGroup(of: (Int, Ledger).self) { group in
                for (number, device) in devices.enumerated() {
                    group.addTask { [ledger = ledgers[number]] in (number, await ledger.filled(by: device)) }
                }
                for (device, goal) in zip(devices, goals) {
                    while try await device.registration().cursor < goal {}
                }
                running.kill()
                return try await group.reduce(into: ledgers) { $0[$1.0] = $1.1 }
            }
            service = try RunningService(data: service.data)
            app.address.port = service.port
            for (number, device) in devices.enumerated() {
                let state = try await device.registration()
                let pending = ledgers[number].pending
                if state.cursor == ledgers[number].cursor {
                    #expect(state.digest == digest(of: ledgers[number].items))
                } else {
                    #expect(state.cursor == ledgers[number].cursor + 1)
                    #expect(state.digest == digest(of: ledgers[number].items + pending))
                }
                let again = try await device.register(pending, after: ledgers[number].cursor)
                ledgers[number].accept(again)
                #expect(again.digest == digest(of: ledgers[number].items))
                #expect(again.count == ledgers[number].items.count)
            }
            #expect(try TestDatabase.findings(in: service.data.path) == [])
        }
        let found = try await devices[1].resolve(ledgers[0].items.map(\.identifier), of: devices[0])
        let both = min(ledgers[0].items.count, ledgers[1].items.count)
        #expect(found.prefix(both).allSatisfy { $0.step == .alias })
        #expect(service.stop() == .exit(0))
    }

    /// The acknowledged items of a device, and the items of its last delta.
    private struct Ledger: Sendable {
        var items: [Wire.Item] = []
        var cursor: Int64 = 0
        var pending: [Wire.Item] = []

        mutating func accept(_ state: Wire.RegistrationState) {
            items += pending
            pending = []
            cursor = state.cursor
        }

        /// Registers a few items at a time until the connection breaks.
        func filled(by device: TestDevice) async -> Ledger {
            var ledger = self
            while true {
                let start = ledger.items.count
                ledger.pending = (start..<start + Int.random(in: 1...20)).map { number in
                    Wire.Item("\(device.context.idiom.rawValue)-\(number)", "server:\(number)", position: Int64(number))
                }
                guard let state = try? await device.register(ledger.pending, after: ledger.cursor) else {
                    return ledger
                }
                ledger.accept(state)
            }
        }
    }

    /// A client that times out sends its load again while the first load still runs.
    @Test func countsAConcurrentlyRepeatedLoadOnce() async throws {
        try await withDevice { _, phone in
            _ = try await phone.declare()
            let body = try lines(of: Self.items)
            let replies = try await withThrowingTaskGroup { group in
                for _ in 0..<3 { group.addTask { try await phone.load(body) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let done = Wire.RegistrationState(cursor: 3, digest: digest(of: Self.items), count: Self.items.count)
            for reply in replies { #expect(try reply.json(Wire.RegistrationState.self) == done) }
            #expect(try await phone.registration() == done)
        }
    }

    @Test func acceptsOneOfConcurrentDeltasWithTheSameCursor() async throws {
        try await withDevice { _, phone in
            _ = try await phone.declare()
            let state = try await phone.register([Wire.Item("p0")])
            let replies = try await withThrowingTaskGroup { group in
                for number in 1...8 {
                    let delta = Wire.ItemDelta(
                        upserts: [Wire.Item("p\(number)")], removals: ["p0"], redirects: nil, after: state.cursor)
                    group.addTask { try await phone.request("PATCH", "/v1/data-sources/photos/items", json: delta) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.map(\.status).sorted() == [200, 409, 409, 409, 409, 409, 409, 409])
            let kept = try await phone.registration()
            #expect(kept.cursor == state.cursor + 1)
            #expect(kept.count == 1)
            // The response to a refused delta has the current cursor and digest.
            for reply in replies where reply.status == 409 {
                #expect(reply.code == "cursor-stale")
                #expect(
                    try reply.json(Wire.Problem.self).details == ["cursor": "\(kept.cursor)", "digest": kept.digest])
            }
        }
    }

    /// A device that is out of sync reads its registered items, and sends the difference.
    @Test func repairsADeviceThatIsOutOfSync() async throws {
        try await withDevice { service, phone in
            _ = try await phone.declare()
            var held = (0..<2500).map { Wire.Item("p\($0)", "server:\($0)", position: Int64($0)) }
            let before = try await phone.load(try lines(of: held)).json(Wire.RegistrationState.self)
            // The device did not send these changes to the service.
            held.removeSubrange(100..<200)
            held.append(Wire.Item("caf\u{E9}", "\u{1F5BC}", "server:é"))
            for index in 500..<600 { held[index].aliases = ["server:\(index + 10_000)"] }
            #expect(digest(of: held) != before.digest)

            let known = Dictionary(uniqueKeysWithValues: try await phone.items(limit: 700).map { ($0.identifier, $0) })
            #expect(known.count == 2500)
            let mine = Set(held.map(\.identifier))
            let after = try await phone.register(
                held.filter { known[$0.identifier] != $0 }, removals: known.keys.filter { !mine.contains($0) },
                after: before.cursor)
            #expect(after == Wire.RegistrationState(cursor: 2, digest: digest(of: held), count: 2401))
        }
    }
}
