/// Divides the work on an archive into portions, so that other work can run in between.
///
/// A walk spends the cost of each piece of its work. One unit of cost is a visit of an object, or 32 bytes of text: on a
/// server up to 0.1 µs. After each portion the meter calls the `pause` of the current task.
package struct WorkMeter {
    /// What a task does between portions of work.
    package struct Pause: Sendable {
        private let body: @Sendable () -> Void

        package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        package func callAsFunction() { body() }
    }

    /// The pause of the current task. It may block the thread for as long as other work runs. Nil, as in apps, if work need
    /// not pause.
    @TaskLocal package static var pause: Pause?

    /// The cost of a portion.
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
