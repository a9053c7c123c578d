import PlacekeeperSystem
import Testing

@testable import PlacekeeperFiles

@Suite struct RegularFileTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test(arguments: [
        (S_IFREG, FileKind.regular), (S_IFDIR, .directory), (S_IFLNK, .link), (S_IFIFO, .pipe), (S_IFSOCK, .socket),
        (S_IFCHR, .device), (S_IFBLK, .device),
    ])
    func knowsTheKindsOfFiles(mode: mode_t, kind: FileKind) {
        #expect(FileKind(mode: mode | 0o640) == kind)
    }

    /// Without a writer, opening a pipe to read it would wait.
    @Test(arguments: [FileKind.directory, .pipe]) func refusesOtherKindsWithoutWaiting(kind: FileKind) throws {
        let path = try folder.make(kind, "other")
        for flags in [O_RDONLY, O_RDWR | O_CREAT] {
            let fault = #expect(throws: PathFault.self) { try RegularFile.open(path, flags) }
            #expect(fault?.reason == .kind(kind))
        }
        #expect(try folder.names == ["other"])
    }

    @Test func followsALinkOnlyIfAsked() throws {
        let link = try folder.make(.link, "link")
        #expect(try RegularFile.read(link, limit: 4).bytes == Array("text".utf8))
        let fault = #expect(throws: PathFault.self) { try RegularFile.open(link, O_RDWR | O_NOFOLLOW) }
        #expect(fault?.reason == .kind(.link))
    }

    @Test func readsNoMoreThanTheLimit() throws {
        let path = try folder.make(.regular, "file")
        #expect(try RegularFile.read(path, limit: 4).bytes.count == 4)
        let fault = #expect(throws: PathFault.self) { try RegularFile.read(path, limit: 3) }
        #expect(fault?.reason == .tooLong(limit: 3))
    }

    @Test func deletesOnlyRegularFiles() throws {
        for kind in [FileKind.regular, .directory, .link, .pipe] {
            RegularFile.remove(try folder.make(kind, "\(kind)"))
        }
        #expect(try folder.names == ["directory", "link", "pipe", "target"])
    }
}
