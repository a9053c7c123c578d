import Dispatch
import PlacekeeperSystem
import Synchronization

/// A child process, with its standard output and error.
final class ChildProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The end of the process: an exit code or a signal.
    enum End: Sendable, Hashable {
        case exit(Int32)
        case signal(Int32)
    }

    let pid: pid_t
    private let output: Collector
    private let errors: Collector
    private let end = Mutex<End?>(nil)

    /// Starts a program that reads standard input from the file `input`. The default program is the `placekeeper`
    /// command next to the tests' binary.
    init(
        program: String? = nil, _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null"
    ) throws {
        let binary = try program ?? Self.builtCommand()
        output = try Collector()
        errors = try Collector()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writeEnd, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.writeEnd, STDERR_FILENO)
        var argv = ([binary] + arguments).map { strdup($0) } + [nil]
        // `.ci/poller` chooses the poller of every service.
        let poller = getenv("PLACEKEEPER_POLLER").map { ["PLACEKEEPER_POLLER": String(cString: $0)] } ?? [:]
        let database = try program == nil ? TestDatabase.environment(for: arguments) : [:]
        let environment = poller.merging(database) { $1 }.merging(environment) { $1 }
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, binary, &actions, nil, &argv, &envp)
        output.closeWriteEnd()
        errors.closeWriteEnd()
        guard code == 0 else { throw Failure(description: "\(binary): \(String(cString: strerror(code)))") }
        self.pid = pid
        output.drain()
        errors.drain()
    }

    deinit {
        send(SIGKILL)
        wait()
    }

    var standardOutput: String { output.text }
    var outputBytes: [UInt8] { output.bytes }
    var standardError: String { errors.text }

    /// Waits for a line of standard error with a prefix, and returns the rest of the line. Returns nil if the process
    /// ends without such a line, or after ten minutes without output.
    func line(after prefix: String) -> String? { errors.line(after: prefix) }

    /// Waits for a line of standard output with a prefix, as `line(after:)` does.
    func outputLine(after prefix: String) -> String? { output.line(after: prefix) }

    func send(_ signal: Int32) {
        end.withLock { if $0 == nil { kill(pid, signal) } }
    }

    /// Waits until the process ended and all of its output was read.
    @discardableResult
    func wait() -> End {
        let ended = waitForEnd()
        output.waitForEnd()
        errors.waitForEnd()
        return ended
    }

    private func waitForEnd() -> End {
        if let known = end.withLock({ $0 }) { return known }
        // The process is not reaped before `end` is set, so that its id cannot belong to another process.
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return end.withLock { end in
            if let end { return end }
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            let known: End = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
            end = known
            return known
        }
    }

    typealias Outcome = (end: End, output: String, error: String)

    /// Waits until the process ended.
    func outcome() -> Outcome {
        let end = wait()
        return (end, standardOutput, standardError)
    }

    /// Runs the command until it ends.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try ChildProcess(arguments, environment: environment).outcome()
    }

    /// Returns the path of the command. On Linux it is next to the tests' binary. On macOS the tests are a bundle, which a
    /// tool of Xcode loads, so the command is searched in the debug build of the package.
    static func builtCommand() throws -> String {
        #if os(Linux)
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0 else { throw Failure(description: "cannot read the path of the tests' binary") }
            let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            return String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) + "/placekeeper"
        #else
            return #filePath.replacing(
                "Tests/EndToEndTests/Support/ChildProcess.swift", with: ".build/debug/placekeeper")
        #endif
    }
}

/// Collects the bytes from a pipe on its own queue.
private final class Collector: Sendable {
    let readEnd: Int32
    let writeEnd: Int32
    private let queue = DispatchQueue(label: "placekeeper.tests.pipe")
    private let state = Mutex<(bytes: [UInt8], isOver: Bool)>(([], false))
    private let news = DispatchSemaphore(value: 0)
    private let over = DispatchGroup()

    init() throws {
        // A socket pair, because other children would inherit a pipe.
        guard let ends = Platform.makeSocketPair(blocks: true) else {
            throw ChildProcess.Failure(description: "no descriptors are left")
        }
        (readEnd, writeEnd) = ends
    }

    func closeWriteEnd() { close(writeEnd) }

    func drain() {
        queue.async(group: over) { [self] in
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            while true {
                let count = read(readEnd, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                state.withLock { $0 = ($0.bytes + buffer.prefix(max(count, 0)), count <= 0) }
                news.signal()
                if count <= 0 { break }
            }
            close(readEnd)
        }
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func line(after prefix: String) -> String? {
        while true {
            let (bytes, isOver) = state.withLock { $0 }
            let text = String(decoding: bytes, as: UTF8.self)
            let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(isOver ? 0 : 1)
            if let line = whole.first(where: { $0.hasPrefix(prefix) }) { return String(line.dropFirst(prefix.count)) }
            if isOver { return nil }
            // As long as the waits of `Connection`.
            guard news.wait(timeout: .now() + 600) == .success else { return nil }
        }
    }

    func waitForEnd() { over.wait() }
}
