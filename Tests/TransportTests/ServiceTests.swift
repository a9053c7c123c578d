import PlacekeeperConcurrency
import Foundation
import PlacekeeperClient
import PlacekeeperTesting
import Testing

/// What every transport does with the real service.
@Suite struct ServiceTests {
    @Test(arguments: ServiceTransport.allCases)
    func carriesRequestsAndResponsesUnchanged(_ kind: ServiceTransport) async throws {
        try await ServiceFixture.run(kind) { fixture in
            let token = try await fixture.register()
            let archive = try ServiceFixture.archive(1)
            let uploaded = try await fixture.upload(archive, 1, token: token)
            #expect(uploaded.status == 201)
            let tag = try #require(uploaded["etag"])
            let latest = try await fixture.transport.send(fixture.request("GET", ServiceFixture.latest, token: token))
            #expect(latest.status == 200)
            // A failed comparison of long arrays would list their differences, which takes minutes.
            let isUnchanged = latest.body == archive
            #expect(isUnchanged)
            #expect(latest["content-type"] == "application/x-plist")
            let unchanged = try await fixture.transport.send(
                fixture.request(
                    "GET", ServiceFixture.latest, token: token, fields: [.init("If-None-Match", latest["etag"] ?? tag)])
            )
            #expect(unchanged.status == 304)
            #expect(unchanged.body.isEmpty)
            let erased = try await fixture.transport.send(fixture.request("DELETE", "/v1/users/self", token: token))
            #expect(erased.status == 204)
        }
    }

    @Test(arguments: ServiceTransport.allCases)
    func returnsResponsesWhoseStatusIsAnError(_ kind: ServiceTransport) async throws {
        try await ServiceFixture.run(kind) { fixture in
            let unauthorized = try await fixture.transport.send(.sample())
            #expect(unauthorized.status == 401)
            #expect(unauthorized["content-type"] == "application/problem+json")
            #expect(String(decoding: unauthorized.body, as: UTF8.self).contains("\"code\""))
            let unknown = try await fixture.transport.send(.sample("POST", target: "/v1/unknown"))
            #expect(unknown.status == 404)
        }
    }

    @Test(arguments: ServiceTransport.allCases)
    func refusesBodyOverTheLimitOfTheRequest(_ kind: ServiceTransport) async throws {
        try await ServiceFixture.run(kind) { fixture in
            let token = try await fixture.register()
            let archive = try ServiceFixture.archive(1)
            _ = try await fixture.upload(archive, 1, token: token)
            func latest(_ limit: Int) -> TransportRequest {
                fixture.request("GET", ServiceFixture.latest, token: token, responseLimit: limit)
            }
            let error = await fixture.transport.error(of: latest(archive.count - 1))
            #expect(error?.isInvalid == true)
            let isWhole = try await fixture.transport.send(latest(archive.count)).body == archive
            #expect(isWhole)
        }
    }

    @Test(arguments: ServiceTransport.allCases)
    func givesEachOfManyRequestsItsOwnResponse(_ kind: ServiceTransport) async throws {
        try await ServiceFixture.run(kind) { fixture in
            let token = try await fixture.register()
            let archives = try (0..<4).map { try ServiceFixture.archive($0) }
            var ids: [String] = []
            for (number, archive) in archives.enumerated() {
                let response = try await fixture.upload(archive, number, token: token)
                ids.append("00000000-0000-4000-8000-00000000000\(number)")
                #expect(response.status == 201)
            }
            try await withThrowingTaskGroup(of: Bool.self) { [ids] group in
                for round in 0..<40 {
                    let (id, archive) = (ids[round % 4], archives[round % 4])
                    group.addTask {
                        let target = "/v1/scenes/main/archives/\(id)"
                        let response = try await fixture.transport.send(fixture.request("GET", target, token: token))
                        return response.body == archive
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test(
        arguments: ServiceTransport.allCases,
        [
            TransportRequest("GET", "/v1/manifest", fields: [.init("Authorization", "Bearer a\r\nX: b")]),
            TransportRequest("GET", "/v1/manifest", fields: [.init("A b", "c")]),
            TransportRequest("GET", "/v1/manifest", fields: [.init("", "c")]),
            TransportRequest("GET", "/v1/manifest HTTP/1.1\r\nX: b"), TransportRequest("GET", "@example.com/"),
            TransportRequest("GET", "/é"), TransportRequest("G T", "/"), TransportRequest("", "/"),
        ])
    func refusesToSendRequestThatIsNotValid(_ kind: ServiceTransport, _ request: TransportRequest) async throws {
        try await ServiceFixture.run(kind) { fixture in
            #expect(await fixture.transport.error(of: request)?.isInvalid == true)
            #expect(await fixture.transport.streamError(of: request)?.isInvalid == true)
        }
    }

    // MARK: - Streams

    @Test(arguments: ServiceTransport.allCases)
    func passesEventsOnUntilTheReceiverEndsTheStream(_ kind: ServiceTransport) async throws {
        try await ServiceFixture.run(kind) { fixture in
            let token = try await fixture.register()
            let received = LockBox("")
            let pieces = AsyncStream<Void>.makeStream()
            let request = fixture.request("GET", "/v1/events", token: token)
            let stream = Task {
                await fixture.transport.streamError(of: request) { bytes in
                    pieces.continuation.yield()
                    return received.withLock { received in
                        received += String(decoding: bytes, as: UTF8.self)
                        return !received.contains("data:") || !received.hasSuffix("\n\n")
                    }
                }
            }
            var iterator = pieces.stream.makeAsyncIterator()
            // The service begins the stream with a first piece. So the upload happens while the stream is open.
            await iterator.next()
            _ = try await fixture.upload(try ServiceFixture.archive(1), 1, token: token)
            #expect(await stream.value == nil)
            #expect(received.withLock { $0 }.contains("data:"))
        }
    }

    @Test(arguments: ServiceTransport.allCases)
    func endsStreamWithoutPiecesIfTheStatusIsNot200(_ kind: ServiceTransport) async throws {
        try await ServiceFixture.run(kind) { fixture in
            let count = LockBox(0)
            let error = await fixture.transport.streamError(of: .sample(target: "/v1/events")) { _ in
                count.withLock { $0 += 1 }
                return true
            }
            #expect(error == nil)
            #expect(count.withLock { $0 } == 0)
        }
    }

    @Test(arguments: ServiceTransport.allCases)
    func throwsCanceledIfTheTaskIsCanceled(_ kind: ServiceTransport) async throws {
        try await ServiceFixture.run(kind) { fixture in
            let token = try await fixture.register()
            let request = fixture.request("GET", "/v1/events", token: token)
            let pieces = AsyncStream<Void>.makeStream()
            let stream = Task {
                await fixture.transport.streamError(of: request) { _ in
                    pieces.continuation.yield()
                    return true
                }
            }
            var iterator = pieces.stream.makeAsyncIterator()
            await iterator.next()
            stream.cancel()
            #expect(await stream.value == .canceled)
            let canceledBefore = Task {
                await withUnsafeContinuation { continuation in
                    withUnsafeCurrentTask { $0?.cancel() }
                    continuation.resume()
                }
                return await fixture.transport.error(of: request)
            }
            #expect(await canceledBefore.value == .canceled)
        }
    }
}
