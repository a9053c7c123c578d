/// What one request may ask of a store while it follows evidence from device to device
/// (docs/decisions/0061-what-one-device-can-ask-for.md).
final class SearchAllowance {
    private var questions: Int

    init(_ questions: Int = Limits.searchQuestions) { self.questions = questions }

    /// Whether so many more may be asked.
    func take(_ count: Int) -> Bool {
        guard count <= questions else { return false }
        questions -= count
        return true
    }
}
