import Dispatch
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem
import Synchronization
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs real programs.
@Suite struct AlertCommandTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/placekeeper-alert-\(UInt64.random(in: 0 ... .max))"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func script(_ lines: String) throws -> String {
        let path = folder + "/script"
        // Another process writes the file: a child of this one may still have it open for writing when it runs.
        let text = "cat >'\(path)' <<'END'\n#!/bin/sh\ncd \(folder)\n\(lines)\nEND\nchmod 700 '\(path)'\n"
        try #require(run("/bin/sh", text).end == .exit(0))
        return path
    }

    private func run(
        _ path: String, _ input: String = "", within deadline: Duration = .seconds(60),
        unless isStopped: () -> Bool = { false }
    ) -> (end: ChildProgram.End, output: String) {
        ChildProgram(path: path, deadline: deadline).run(Array(input.utf8), unless: isStopped)
    }

    @Test func givesTheInputAndReturnsTheEndAndTheOutput() throws {
        let input = String(repeating: "é", count: 400)
        #expect(run("/bin/cat", input) == (.exit(0), input))
        #expect(run("/bin/false") == (.exit(1), ""))
        #expect(run(folder + "/missing").end == .unstartable(ENOENT))
        #expect(run(folder).end == .unstartable(EACCES))
        #expect(run("/bin/cat", String(repeating: "a", count: 1 << 20)).end == .unstartable(EMSGSIZE))
        #expect(run(try script("echo broken >&2; exit 3")) == (.exit(3), "broken\n"))
    }

    /// The environment may have secrets, and another program must not keep the service's connections open.
    @Test func inheritsNothing() throws {
        setenv("PLACEKEEPER_DATABASE_PASSWORD_FILE", "/secret", 1)
        #expect(run("/usr/bin/env").output == ChildProgram.environment.joined(separator: "\n") + "\n")
        // Without FD_CLOEXEC.
        let descriptor = dup(STDERR_FILENO)
        defer { close(descriptor) }
        #expect(run(try script("ls /proc/self/fd")).output == "0\n1\n2\n3\n", "ls itself opens 3")
        // The C library keeps the signals 32 and 33 for itself.
        let signals = run(try script("grep -E 'Sig(Blk|Ign)' /proc/self/status | cut -f 2")).output
            .split(separator: "\n").map { UInt64($0, radix: 16).map { $0 & ~(3 << 31) } }
        #expect(signals == [0, 0])
    }

    @Test func killsAProgramThatHangsWithAllThatItStarted() throws {
        let late = run(try script("sleep 1000 & echo $!; wait"), within: .milliseconds(300))
        #expect(late.end == .late)
        let other = try #require(pid_t(late.output.split(separator: "\n").first ?? ""))
        Self.expectEnd(of: other)
        // A program that writes without an end.
        let flood = run("/usr/bin/yes", within: .milliseconds(300))
        #expect(flood.end == .late && flood.output.utf8.count == 1000)
        let stopped = run(try script("sleep 1000")) { true }
        #expect(stopped.end == .stopped)
    }

    @Test func killsWhatAProgramLeavesRunning() throws {
        let left = run(try script("sleep 1000 >/dev/null 2>&1 </dev/null & echo $!"))
        #expect(left.end == .exit(0))
        Self.expectEnd(of: try #require(pid_t(left.output.split(separator: "\n").first ?? "")))
    }

    /// Waits until a process that was killed has ended. The system's first process reaps it later.
    private static func expectEnd(of pid: pid_t) {
        let end = ContinuousClock.now + .seconds(60)
        while let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            !["Z", "X"].contains(text.split(separator: ")").last?.split(separator: " ").first)
        {
            guard ContinuousClock.now < end else {
                Issue.record("\(pid) runs: \(text)")
                kill(pid, SIGKILL)
                return
            }
            usleep(1000)
        }
    }

    /// Reads what the next run of a script writes to a named pipe.
    private func told(_ pipe: String) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "told").async {
                let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
                defer { close(descriptor) }
                var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
                while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
                    text += buffer.prefix(count)
                }
                continuation.resume(returning: String(decoding: text, as: UTF8.self))
            }
        }
    }

    private static func change(isOver: Bool = false) -> AlertChange {
        let start = Timestamp(milliseconds: 1_750_000_000_000)
        return AlertChange(Alert(.diskLow, "a", "b"), startedAt: start, endedAt: isOver ? start : nil)
    }

    @Test func tellsTheStartAgainAfterAFailureAndThenTheEnd() async throws {
        let pipe = folder + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let log = Mutex<[String]>([])
        let command = AlertCommand(try script("cat > pipe; [ -e failed ] || { touch failed; echo down; exit 1; }")) {
            level, message in log.withLock { $0.append(level + " " + message) }
        }
        let running = Task { await command.run() }
        command.tell(Self.change())
        #expect(await told(pipe) == Self.change().line + "\n")
        #expect(await told(pipe) == Self.change().line + "\n")
        command.tell(Self.change(isOver: true))
        #expect(await told(pipe) == Self.change(isOver: true).line + "\n")
        running.cancel()
        await running.value
        #expect(log.withLock(\.self) == ["warning the alert command ended with 1 and is tried again: down"])
    }

    /// The shutdown must not wait for the deadline of the command.
    @Test func stopsAtOnceWhileACommandHangs() async throws {
        let pipe = folder + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let command = AlertCommand(try script("cat > pipe; sleep 1000"), deadline: .seconds(1000)) { _, _ in }
        let running = Task { await command.run() }
        command.tell(Self.change())
        _ = await told(pipe)
        running.cancel()
        await running.value
    }
}
