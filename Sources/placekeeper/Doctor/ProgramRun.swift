import PlacekeeperSystem

/// A program of the system that a command runs and waits for.
struct ProgramRun {
    /// The exit code. Nil if the program was ended, by a signal or at the deadline.
    var code: Int32?
    /// The first 64 KiB of standard output and standard error.
    var output: String

    /// Runs a program of the PATH. Nil if it can't be started.
    ///
    /// - Parameters:
    ///   - environment: the program's variables.
    ///   - patience: after this time, the program is killed.
    init?(
        _ program: String, _ arguments: [String], environment: [String: String], patience: Duration = .seconds(10)
    ) {
        guard let (reading, writing) = Platform.makeSocketPair(blocks: true) else { return nil }
        defer { close(reading) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, writing, STDERR_FILENO)
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process = pid_t()
        let isStarted = posix_spawnp(&process, program, &actions, nil, words, variables) == 0
        close(writing)
        guard isStarted else { return nil }
        let end = ContinuousClock.now + patience
        let (bytes, isComplete) = Self.read(reading, until: end)
        output = String(decoding: bytes, as: UTF8.self)
        if !isComplete { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        code = isComplete && status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    /// Reads until the end. Returns false with what was read if the end didn't come in time.
    private static func read(_ descriptor: Int32, until end: ContinuousClock.Instant) -> ([UInt8], Bool) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = (end - .now).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = milliseconds > 0 ? poll(&entry, 1, Int32(clamping: milliseconds)) : 0
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return (bytes, false) }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (bytes, true) }
            if bytes.count < 64 << 10 { bytes += buffer[..<count] }
        }
    }
}
