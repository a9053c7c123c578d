import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests with public data, valid and hostile, over HTTP.
@Suite(.enabled(if: Corpora.folder != nil, "PLACEKEEPER_CORPORA is not set"), .timeLimit(.minutes(20)))
struct CorporaTests {
    @Test func servesKeyedArchivesByteForByteAndRejectsOtherFiles() async throws {
        try await withService { service in
            let phone = try await service.person { $0.retainedArchives = 1000 }.device(.phone)
            // These property lists are not keyed archives, or their bytes are malformed.
            let others: Set = [
                "binary.plist", "binary_circular_array.plist", "binary_three_byte_integer_offset_table.plist",
                "binary_zero_offset_size.plist", "utf16_bplist.plist",
            ]
            var stored = 0
            for path in Corpora.files(in: "keyed-archives/swift-corelibs-foundation")
                + Corpora.files(in: "keyed-archives/rust-plist")
            where !path.hasSuffix("/LICENSE") {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                let name = path.split(separator: "/").last.map(String.init) ?? ""
                let upload = Upload(bytes: bytes)
                #expect(try await phone.put(upload).status == 422, "\(name) without a context")
                let reply = try await phone.put(upload, query: "?" + phone.query)
                if bytes.starts(with: "bplist00".utf8), !others.contains(name) {
                    #expect(reply.status == 201, "\(name): \(reply.text)")
                    #expect(try await phone.read(upload).body == bytes, "\(name)")
                    #expect(try await phone.latest().body == bytes, "\(name)")
                    stored += 1
                } else {
                    #expect(reply.status == 422, "\(name)")
                    #expect(reply.code == "archive-unreadable", "\(name)")
                    #expect(try await phone.read(upload).status == 404, "\(name)")
                }
            }
            #expect(stored == 38)
            #expect(try await phone.history().count == 38)
        }
    }

    @Test func survivesHostileFilesWithTheExpectedResponses() async throws {
        struct Entry: Decodable {
            var name: String
            var expect: String
        }
        let folder = (Corpora.folder ?? "") + "/hostile-plists/"
        let manifest = try Data(contentsOf: URL(fileURLWithPath: folder + "manifest.json"))
        let entries = try JSONDecoder().decode([Entry].self, from: manifest)
        #expect(entries.count == 35)
        try await withDevice { _, phone in
            for entry in entries {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + entry.name + ".bplist")))
                let upload = Upload(bytes: bytes)
                let reply = try await phone.put(upload, query: "?" + phone.query)
                // The names of keyed archives begin with ka_.
                let isArchive = entry.name.hasPrefix("ka_")
                switch entry.expect {
                case "accept", "accept-bounded":
                    #expect(reply.status == (isArchive ? 201 : 422), "\(entry.name): \(reply.text)")
                case "reject": #expect(reply.status == 422, "\(entry.name)")
                default: #expect(reply.status == 422 || isArchive && reply.status == 201, "\(entry.name)")
                }
                if reply.status == 201 {
                    #expect(try await phone.read(upload).body == bytes, "\(entry.name)")
                } else {
                    let problem = try reply.json(Wire.Problem.self)
                    #expect(problem.code == "archive-unreadable", "\(entry.name)")
                    #expect(problem.reason != nil, "\(entry.name)")
                }
                #expect(try await phone.request("GET", "/livez").status == 200, "\(entry.name)")
            }
        }
    }

    @Test func acceptsValidJSONAndRejectsInvalidJSON() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let files = Corpora.files(in: "json/test_parsing")
            try #require(files.count > 300)
            var lenient: Set<String> = []
            for path in files {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                let name = path.split(separator: "/").last.map(String.init) ?? ""
                let reply = try await app.address.request("POST", "/v1/devices", body: bytes)
                // A registration has at most 64 KiB.
                guard bytes.count <= 64 << 10 else {
                    #expect(reply.status == 413, "\(name)")
                    continue
                }
                // No file is a valid registration: valid JSON is refused with 422, and malformed JSON with 400.
                switch name.prefix(2) {
                case "y_": #expect(reply.status == 422, "\(name): \(reply.text)")
                case "n_": if reply.status != 400 { lenient.insert(name) }
                default: #expect(reply.status == 400 || reply.status == 422, "\(name): \(reply.text)")
                }
            }
            #expect(lenient == [])
            #expect(try await app.register(.phone).status == 201)
        }
    }
}
