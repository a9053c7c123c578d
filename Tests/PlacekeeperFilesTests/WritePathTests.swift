import PlacekeeperSystem
import Testing

@testable import PlacekeeperFiles

@Suite struct WritePathTests {
    private let folder: TestFolder
    private let directories: DataDirectories
    private let ours = WritePath.Replaceable("one of ours") { $0.starts(with: "ours".utf8) }

    init() throws {
        folder = try TestFolder()
        directories = DataDirectories(mark: "mark", own: folder.path("own"))
        try #require(mkdir(folder.path("own"), 0o700) == 0)
    }

    private func fault(_ path: String, _ replaceable: WritePath.Replaceable?) -> PathFault.Reason? {
        do throws(PathFault) {
            _ = try WritePath(path, replacing: replaceable, outside: directories)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func acceptsAFreeNameAndAFileOfTheRightKind() throws {
        #expect(fault(folder.path("new"), nil) == nil)
        #expect(fault(folder.path("new"), ours) == nil)
        try folder.write("ours, with text", to: "old")
        #expect(fault(folder.path("old"), ours) == nil)
        #expect(fault(folder.path("old"), nil) == .exists)
        #expect(try folder.names == ["old", "own"])
    }

    @Test(arguments: ["", "theirs", "our"]) func refusesAFileOfAnotherKind(text: String) throws {
        try folder.write(text, to: "file")
        #expect(fault(folder.path("file"), ours) == .foreign(kind: "one of ours"))
    }

    @Test(arguments: [FileKind.directory, .link, .pipe]) func refusesWhatIsNoRegularFile(kind: FileKind) throws {
        let path = try folder.make(kind, "other")
        #expect(fault(path, ours) == .kind(kind))
        #expect(fault(path, nil) == .kind(kind))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away")) func refusesAFileOfAnotherUser() throws {
        try folder.write("ours", to: "file")
        try #require(chown(folder.path("file"), 65_534, 65_534) == 0)
        #expect(fault(folder.path("file"), ours) == .foreignOwner)
        // In a directory of another user, the owner of a new file decides.
        try #require(chown(folder.path, 1, 1) == 0)
        #expect(throws: PathFault(folder.path("file"), .foreignOwner)) { _ = try partial("file", replacing: ours) }
        #expect(try folder.names == ["file", "own"])
        try folder.write("ours", to: "new.partial")
        try #require(chown(folder.path("new.partial"), 65_534, 65_534) == 0)
        #expect(throws: PathFault(folder.path("new.partial"), .foreignOwner)) { _ = try partial("new") }
    }

    @Test func refusesEveryPathInADataDirectory() throws {
        try #require(mkdir(folder.path("data"), 0o700) == 0 && mkdir(folder.path("data/inner"), 0o700) == 0)
        try folder.write("", to: "data/mark")
        try #require(symlink(folder.path("data/inner"), folder.path("link")) == 0)
        for name in ["data/new", "data/mark", "data/inner/new", "link/new", "own/new"] {
            for replaceable in [nil, ours] {
                guard case .inDataDirectory = fault(folder.path(name), replaceable) else {
                    Issue.record("\(name) was accepted")
                    continue
                }
            }
        }
        #expect(fault(folder.path("nowhere/new"), nil) == .system(call: "realpath", code: ENOENT))
    }

    // Writing

    private func partial(_ name: String, replacing replaceable: WritePath.Replaceable? = nil) throws -> PartialFile {
        let target = try WritePath(folder.path(name), replacing: replaceable, outside: directories)
        return try PartialFile(for: target, leftover: ours)
    }

    private func write(_ text: String, to descriptor: Int32) {
        #expect(PlacekeeperSystem.write(descriptor, text, text.utf8.count) == text.utf8.count)
    }

    @Test func givesAFileItsNameWhenItIsWhole() throws {
        try folder.write("ours, old", to: "file")
        let file = try partial("file", replacing: ours)
        write("new", to: file.descriptor)
        #expect(try folder.text(of: "file") == "ours, old")
        try file.install()
        #expect(try folder.text(of: "file") == "new" && folder.names == ["file", "own"])
        file.discard()
        #expect(try folder.names == ["file", "own"])
    }

    @Test func replacesNothingThatAppearedMeanwhile() throws {
        try folder.write("ours, old", to: "replaced")
        let new = try partial("new")
        let replacing = try partial("replaced", replacing: ours)
        try folder.write("theirs", to: "new")
        // Another file gets the path that was looked at.
        try folder.write("theirs, too", to: "other")
        try #require(rename(folder.path("other"), folder.path("replaced")) == 0)
        #expect(#expect(throws: PathFault.self) { try new.install() }?.reason == .exists)
        #expect(#expect(throws: PathFault.self) { try replacing.install() }?.reason == .changed)
        #expect(try folder.text(of: "new") == "theirs" && folder.text(of: "replaced") == "theirs, too")
        new.discard()
        replacing.discard()
        #expect(try folder.names == ["new", "own", "replaced"])
    }

    @Test func createsNothingInPlaceOfAFileThatWasDeletedMeanwhile() throws {
        try folder.write("ours", to: "file")
        let file = try partial("file", replacing: ours)
        try #require(unlink(folder.path("file")) == 0)
        #expect(#expect(throws: PathFault.self) { try file.install() }?.reason == .changed)
    }

    @Test func usesTheFileThatAKilledProcessLeft() throws {
        try folder.write("ours, and more text", to: "file.partial")
        try #require(chmod(folder.path("file.partial"), 0o666) == 0)
        let file = try partial("file")
        write("new", to: file.descriptor)
        try file.install()
        #expect(try folder.text(of: "file") == "new")
        #expect(try FileStatus.of(folder.path("file"))?.permissions == 0o600)
    }

    @Test func refusesAPartialFileThatIsNotItsOwn() throws {
        try folder.write("theirs", to: "a.partial")
        #expect(throws: PathFault(folder.path("a.partial"), .foreign(kind: "one of ours"))) {
            _ = try partial("a")
        }
        #expect(try folder.text(of: "a.partial") == "theirs")
        let link = try folder.make(.link, "b.partial")
        #expect(throws: PathFault(link, .kind(.link))) { _ = try partial("b") }
        #expect(try folder.text(of: "target") == "text")
        let pipe = try folder.make(.pipe, "c.partial")
        #expect(throws: PathFault(pipe, .kind(.pipe))) { _ = try partial("c") }
    }

    @Test func letsOneProcessWriteAtATime() throws {
        let first = try partial("file")
        write("first", to: first.descriptor)
        #expect(throws: PathFault(first.path, .busy)) { _ = try partial("file") }
        try first.install()
        #expect(try folder.text(of: "file") == "first")
    }
}
