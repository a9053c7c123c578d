import PlacekeeperSystem

/// Another program. It runs in a process group of its own and inherits nothing: no descriptors, no signal settings, and no
/// variables, which may contain secrets.
struct ChildProgram: Sendable {
    enum End: Sendable, Hashable {
        case exit(Int32)
        case signal(Int32)
        /// The program ran too long, and was killed.
        case late
        /// The service stops, so the program was killed.
        case stopped
        /// The program can't be started. The value is an `errno`.
        case unstartable(Int32)
    }

    /// The variables of a program that the operator names.
    static let environment = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"]
    /// The path, or the name of a program of the PATH.
    var path: String
    var arguments: [String] = []
    var environment = Self.environment
    var deadline: Duration
    /// How many bytes of the output are kept.
    var outputLimit = 1000

    /// Runs the program and waits for its end. Whatever it started and left running is killed.
    ///
    /// - Parameters:
    ///   - input: standard input. A program isn't started with more than a pipe can hold, usually 64 KiB.
    ///   - isStopped: whether to kill the program now. Called every few milliseconds.
    /// - Returns: the end, and the beginning of the program's standard output and error.
    func run(_ input: [UInt8] = [], unless isStopped: () -> Bool = { false }) -> (end: End, output: String) {
        guard let (inputReading, inputWriting) = Self.pipe() else { return (.unstartable(errno), "") }
        guard let (reading, writing) = Self.pipe() else {
            let code = errno
            for descriptor in [inputReading, inputWriting] { close(descriptor) }
            return (.unstartable(code), "")
        }
        defer { close(reading) }
        for descriptor in [reading, inputWriting] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        let isWritten = write(inputWriting, input, input.count) == input.count
        // Otherwise the system would take the ends of programs by itself, and nobody would learn how they ended.
        signal(SIGCHLD, SIG_DFL)
        let started = isWritten ? spawn(inputReading, writing) : .failure(Failure(code: EMSGSIZE))
        for descriptor in [inputReading, inputWriting, writing] { close(descriptor) }
        switch started {
        case .failure(let failure): return (.unstartable(failure.code), "")
        case .success(let pid): return wait(for: pid, reading, unless: isStopped)
        }
    }

    private struct Failure: Error { var code: Int32 }

    private func spawn(_ input: Int32, _ output: Int32) -> Result<pid_t, Failure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        for number in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_adddup2(&actions, output, number) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The service ignores some signals, and its threads block others.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags | Platform.closeOnSpawn(&actions)))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawnp(&pid, path, &actions, &attributes, &words, &variables)
        return code == 0 ? .success(pid) : .failure(Failure(code: code))
    }

    private func wait(for pid: pid_t, _ reading: Int32, unless isStopped: () -> Bool) -> (End, String) {
        let end = ContinuousClock.now + deadline
        var output: [UInt8] = []
        var early: End?
        while !Self.hasEnded(pid) {
            early = isStopped() ? .stopped : ContinuousClock.now >= end ? .late : nil
            if early != nil { break }
            drain(reading, &output)
            var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            // At the end of the output, poll(2) returns immediately, and the program may still run.
            if poll(&entry, 1, 20) > 0, entry.revents & Int16(POLLIN) == 0 { usleep(20_000) }
        }
        // The program isn't reaped yet, so its group can't belong to others.
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        var reaped = waitpid(pid, &status, 0)
        while reaped < 0, errno == EINTR { reaped = waitpid(pid, &status, 0) }
        drain(reading, &output)
        let last: End =
            reaped < 0
            ? .unstartable(errno) : status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
        return (early ?? last, String(decoding: output, as: UTF8.self))
    }

    private static func hasEnded(_ pid: pid_t) -> Bool {
        var information = siginfo_t()
        let isKnown = waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT | WNOHANG) == 0
        return isKnown ? information.si_signo == SIGCHLD : errno == ECHILD
    }

    private func drain(_ descriptor: Int32, _ output: inout [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // A program that writes without a pause must not keep this loop busy.
        for _ in 0..<16 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            output += buffer.prefix(max(0, min(count, outputLimit - output.count)))
        }
    }

    /// A pipe that no other program inherits.
    private static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard PlacekeeperSystem.pipe(&ends) == 0 else { return nil }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

extension ChildProgram {
    /// A program of the PATH that a command runs with its own variables, for at most 10 seconds.
    init(_ name: String, _ arguments: [String], _ environment: [String: String]) {
        self.init(
            path: name, arguments: arguments, environment: environment.map { "\($0.key)=\($0.value)" },
            deadline: .seconds(10), outputLimit: 64 << 10)
    }
}
