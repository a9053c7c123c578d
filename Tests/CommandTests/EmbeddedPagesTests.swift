import PlacekeeperCompression
import PlacekeeperServer
import Testing

@testable import placekeeper

@Suite struct EmbeddedPagesTests {
    private var root: String { #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } }

    @Test func hasTheFilesOfTheFolderPublic() throws {
        let files = try PublicFiles.read(root + "/Public")
        let embedded = try EmbeddedPages.files().sorted { $0.name < $1.name }
        #expect(embedded.map(\.name) == files.map(\.name))
        // A failure names the file, and does not print its bytes.
        #expect(zip(embedded, files).filter { $0.bytes != $1.bytes }.map(\.0.name) == [])
    }

    @Test func hasTheDescription() throws {
        let file = try Files.read(root + "/openapi.yaml", limit: 1 << 20)
        #expect(try EmbeddedPages.openAPI()?.bytes == file)
    }

    @Test func hasTheCompressedBytesOfEachFile() throws {
        for file in try EmbeddedPages.files() {
            let coded = try #require(file.gzip)
            #expect(try Compressor(.gzip).inflate(coded, count: file.bytes.count) == file.bytes, "\(file.name)")
        }
    }
}
