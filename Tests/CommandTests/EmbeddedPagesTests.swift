import PlacekeeperServer
import Testing

@testable import placekeeper

@Suite struct EmbeddedPagesTests {
    @Test func hasTheFilesOfTheFolderPublic() throws {
        var folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        folder += "/Public"
        let files = try PublicFiles.read(folder)
        #expect(EmbeddedPages.files.map(\.name).sorted() == files.map(\.name).sorted())
        for file in files {
            #expect(EmbeddedPages.files.first { $0.name == file.name }?.bytes == file.bytes, "\(file.name)")
        }
    }
}
