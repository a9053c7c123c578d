import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// Counts durations by their length.
final class DurationHistogram: Sendable {
    /// The upper bounds of the buckets, in milliseconds. The last bucket is unbounded.
    private static let bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000]
    /// The buckets, and the sum of all durations in microseconds.
    private let counters = Counters(bounds.count + 2)

    func add(_ duration: Duration) {
        let bucket = Self.bounds.firstIndex { duration <= .milliseconds($0) } ?? Self.bounds.count
        counters.add(1, at: bucket)
        counters.add(UInt64(clamping: duration.components.attoseconds / 1_000_000_000_000), at: Self.bounds.count + 1)
        counters.add(UInt64(clamping: duration.components.seconds) &* 1_000_000, at: Self.bounds.count + 1)
    }

    /// Returns the samples of a metric.
    func samples(of name: String, _ help: String) -> [Metric] {
        var (samples, count): ([Metric], UInt64) = ([], 0)
        for bucket in 0...Self.bounds.count {
            count += counters.value(at: bucket)
            let bound = bucket < Self.bounds.count ? "\(Double(Self.bounds[bucket]) / 1000)" : "+Inf"
            samples.append(
                Metric(name, .histogram, help, Double(count), suffix: "_bucket", labels: [("le", bound)]))
        }
        let sum = Double(counters.value(at: Self.bounds.count + 1)) / 1_000_000
        return samples + [
            Metric(name, .histogram, help, sum, suffix: "_sum"),
            Metric(name, .histogram, help, Double(count), suffix: "_count"),
        ]
    }
}
