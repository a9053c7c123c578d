import Testing

extension Tag {
    /// A behaviour of the seed documents; the row's number stands in the display name (`make seeds`).
    @Tag static var seed: Self
}
