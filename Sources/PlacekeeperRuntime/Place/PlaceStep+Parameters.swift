extension PlaceStep {
    /// A coder for the screen's other values.
    public var parameters: StateDecoder {
        StateDecoder(DecodingContext(archive, storyboards: [:]), path: screen, state: saved)
    }
}
