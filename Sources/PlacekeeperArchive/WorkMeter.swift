/// Divides the work on an archive into portions, so that other work can run in between.
///
/// One unit of cost is a visit to an object, or 32 bytes of text. It takes up to 0.1 µs on a server. After each
/// portion, the meter calls the current task's `pause`.
package struct WorkMeter {
    /// What a task does between portions of work.
    package struct Pause: Sendable {
        private let body: @Sendable () -> Void

        package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        package func callAsFunction() { body() }
    }

    /// The current task's pause, which may block the thread while other work runs. `nil` if work need not pause, as in
    /// apps.
    @TaskLocal package static var pause: Pause?

    /// The cost of one portion.
    package static let portion = 4096

    private var rest = Self.portion

    package init() {}

    @inline(__always)
    package mutating func consume(_ cost: Int) {
        rest -= cost
        if rest < 0 { endPortion() }
    }

    @inline(__always)
    package mutating func consume(bytes count: Int) { consume(count >> 5) }

    @inline(never)
    private mutating func endPortion() {
        rest = Self.portion
        Self.pause?()
    }
}
