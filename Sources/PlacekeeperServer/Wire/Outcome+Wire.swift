import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService

extension LaunchID {
    /// Parses the member `launch` of an outcome.
    init(member text: String) throws(ServiceError) {
        guard let launch = LaunchID(text) else {
            throw ServiceError(
                .outcomeInvalid, "A launch id has 1 to 64 of the characters A–Z a–z 0–9 . _ and -.", member: ["launch"])
        }
        self = launch
    }
}

extension Outcome.Details {
    /// Reads the details of an outcome. A step or duration that is far out of range becomes one that is just out of
    /// range, so the service still rejects it.
    init(path: String?, step: Int64?, duration: Double?) {
        let seconds = duration.map { $0.isFinite ? min(max($0, -1), 1_000_000) : -1 }
        self.init(
            path: path, step: step.map { Int(clamping: $0) },
            duration: seconds.map { .milliseconds(Int64(($0 * 1000).rounded())) })
    }

    /// The duration in decimal seconds.
    package var seconds: Double? { duration.map { Double($0.wholeMilliseconds) / 1000 } }
}
