import Testing

extension Tag {
    /// Marks a test of a row of docs/seeds.md. The display name begins with the row's number (`make seeds`).
    @Tag static var seed: Self
}
