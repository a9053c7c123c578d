import PlacekeeperTestSupport
import Foundation
import PlacekeeperArchive
import Testing

/// Tests with public files, valid and hostile. `PLACEKEEPER_CORPORA` is the path of their folder.
@Suite(.enabled(if: Corpora.folder != nil, "PLACEKEEPER_CORPORA is not set"))
struct CorporaTests {
    @Test func readsEveryBinaryKeyedArchiveAndRefusesXML() throws {
        let files = Corpora.files(in: "keyed-archives/swift-corelibs-foundation").filter { !$0.hasSuffix("LICENSE") }
        var binary = 0
        for name in files {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: name)))
            if bytes.starts(with: "bplist".utf8) {
                binary += 1
                #expect(throws: Never.self, "\(name)") { try KeyedArchiveReader(validating: bytes) }
                #expect(throws: Never.self, "\(name)") { try ArchiveSummary(reading: bytes) }
            } else {
                #expect(Refusal(of: bytes).code == .xml, "\(name)")
            }
        }
        #expect(binary == 37)
        #expect(files.count == 46)
    }

    @Test(arguments: [
        ("binary.plist", nil), ("binary_NSKeyedArchiver.plist", nil),
        ("binary_three_byte_integer_offset_table.plist", nil), ("utf16_bplist.plist", nil),
        // This file contains a cycle, but the reader first finds that the offset table extends past the trailer. Other
        // tests check cycles.
        ("binary_circular_array.plist", ArchiveError.Code.offsetTable),
        ("binary_zero_offset_size.plist", .offsetWidth),
    ])
    func readsValidAndRefusesInvalidPropertyLists(name: String, refusal: ArchiveError.Code?) throws {
        let bytes = try Corpora.bytes("keyed-archives/rust-plist/\(name)")
        #expect(Refusal(ofList: bytes).code == refusal)
    }

    @Test func treatsEachHostileFileAsItsManifestExpects() throws {
        struct Entry: Decodable {
            var name: String
            var expect: String
        }
        let manifest = try JSONDecoder().decode(
            [Entry].self, from: Data(Corpora.bytes("hostile-plists/manifest.json")))
        #expect(manifest.count == 35)
        for entry in manifest {
            let bytes = try Corpora.bytes("hostile-plists/\(entry.name).bplist")
            let code = Refusal(of: bytes).code
            switch entry.expect {
            case "reject": #expect(code != nil, "\(entry.name)")
            case "accept", "accept-bounded": #expect(code == nil, "\(entry.name)")
            default: break
            }
        }
    }
}

/// The error with which a reader refuses bytes. The code is nil if the bytes are valid.
struct Refusal: Equatable {
    var code: ArchiveError.Code?
    var offset: Int?

    /// Validates the bytes as an archive.
    init(of bytes: [UInt8]) {
        self.init { () throws(ArchiveError) in _ = try ArchiveSummary(reading: bytes) }
    }

    /// Validates the bytes as a property list.
    init(ofList bytes: [UInt8]) {
        self.init { () throws(ArchiveError) in _ = try BinaryPropertyList(validating: bytes) }
    }

    init(_ read: () throws(ArchiveError) -> Void) {
        do {
            try read()
        } catch {
            code = error.code
            offset = error.offset
        }
    }
}
