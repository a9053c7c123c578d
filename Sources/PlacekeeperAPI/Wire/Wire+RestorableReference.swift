extension Wire.RestorablePlace {
    /// An element of a data source, as the requesting device knows it.
    package struct Reference: Sendable, Hashable, Codable {
        package struct Role: WireWord {
            package static let selected = Self(rawValue: "selected")
            package static let firstVisible = Self(rawValue: "firstVisible")
            package static let other = Self(rawValue: "other")
            package static let known = [selected, firstVisible, other]
            package let rawValue: String

            package init(rawValue: String) { self.rawValue = rawValue }
        }

        package var dataSource: String
        package var role: Role
        /// The identifier on the requesting device, or null if none was found.
        package var identifier: String?
        package var aliases: [String]
        package var indexPath: [Int]?
        /// Absent, like `confidence`, if the app hasn't declared the data source.
        package var step: Wire.ResolutionStep?
        package var confidence: Double?
        /// Whether several elements match and this is the most likely one.
        package var ambiguous: Bool
        /// The identifier of the neighbor that stands in for a pending first visible element until it arrives.
        package var neighbor: String?

        package init(
            dataSource: String, role: Role, identifier: String?, aliases: [String], indexPath: [Int]?,
            step: Wire.ResolutionStep?, confidence: Double?, ambiguous: Bool, neighbor: String? = nil
        ) {
            self.dataSource = dataSource
            self.role = role
            self.identifier = identifier
            self.aliases = aliases
            self.indexPath = indexPath
            self.step = step
            self.confidence = confidence
            self.ambiguous = ambiguous
            self.neighbor = neighbor
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(dataSource, forKey: .dataSource)
            try members.encode(role, forKey: .role)
            // Encode a missing identifier as null, to show that the service looked for the element.
            try members.encode(identifier, forKey: .identifier)
            try members.encode(aliases, forKey: .aliases)
            try members.encodeIfPresent(indexPath, forKey: .indexPath)
            try members.encodeIfPresent(step, forKey: .step)
            try members.encodeIfPresent(confidence, forKey: .confidence)
            try members.encode(ambiguous, forKey: .ambiguous)
            try members.encodeIfPresent(neighbor, forKey: .neighbor)
        }
    }
}
