extension Wire {
    /// A device of the user. The name and the model are absent if the device was revoked.
    package struct ExplainedDevice: Sendable, Hashable, Codable {
        package var id: String
        package var name: String?
        package var model: String?
        /// Whether this is the source device, which captured the archive.
        package var source: Bool
        /// Whether this is the requesting device.
        package var asking: Bool

        package init(id: String, name: String?, model: String?, source: Bool, asking: Bool) {
            self.id = id
            self.name = name
            self.model = model
            self.source = source
            self.asking = asking
        }
    }

    package struct ExplainedItem: Sendable, Hashable, Codable {
        package var device: ExplainedDevice
        package var identifier: String

        package init(device: ExplainedDevice, identifier: String) {
            self.device = device
            self.identifier = identifier
        }
    }

    package struct NeighborSource: WireWord {
        package static let archive = Self(rawValue: "archive")
        package static let position = Self(rawValue: "position")
        package static let known = [archive, position]
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package struct Bound: WireWord {
        package static let neighbors = Self(rawValue: "neighbors")
        package static let size = Self(rawValue: "size")
        package static let known = [neighbors, size]
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// How a model reference of the served archive was resolved, with the evidence.
    package struct ReferenceExplanation: Sendable, Hashable, Codable {
        /// An item that matches the reference, by evidence or by an operator's decision.
        package struct Member: Sendable, Hashable, Codable {
            package var item: ExplainedItem
            package var sharedAliases: [String]
            /// An operator's decision that this member and an earlier member are the same item.
            package var decision: Decision?

            package init(item: ExplainedItem, sharedAliases: [String], decision: Decision?) {
                self.item = item
                self.sharedAliases = sharedAliases
                self.decision = decision
            }
        }

        package struct Decision: Sendable, Hashable, Codable {
            package var other: ExplainedItem
            package var note: String

            package init(other: ExplainedItem, note: String) {
                self.other = other
                self.note = note
            }
        }

        /// An item that could have matched but was removed or replaced.
        package struct Gone: Sendable, Hashable, Codable {
            package var item: ExplainedItem
            package var sharedAliases: [String]
            /// The identifier of this item's replacement on its device. Absent if the item was removed.
            package var replacement: String?

            package init(item: ExplainedItem, sharedAliases: [String], replacement: String?) {
                self.item = item
                self.sharedAliases = sharedAliases
                self.replacement = replacement
            }
        }

        /// Two members that cannot be the same item.
        package struct Contradiction: Sendable, Hashable, Codable {
            package var first: ExplainedItem
            package var second: ExplainedItem
            /// The note of the operator's decision that the items are different. Absent if both items belong to the
            /// same device.
            package var note: String?

            package init(first: ExplainedItem, second: ExplainedItem, note: String?) {
                self.first = first
                self.second = second
                self.note = note
            }
        }

        package var dataSource: String
        /// The data source's scope. Absent if the app hasn't declared the data source. The service doesn't change
        /// references to an undeclared data source.
        package var scope: Scope?
        package var role: String
        package var source: String?
        package var identifier: String?
        package var aliases: [String]
        package var step: ResolutionStep
        package var confidence: Double
        package var ambiguous: Bool
        /// The identifier of the neighbor that stands in for a pending first visible item until it arrives.
        package var neighbor: String?
        /// How the neighbor was found: from the archive or from the registered positions. Absent if there is no
        /// neighbor.
        package var neighborBy: NeighborSource?
        /// The work limit that was reached. Present only if the limit left the reference unresolved, or pending without
        /// a neighbor.
        package var limitedBy: Bound?
        /// Whether the item was found through an operator's decision.
        package var decided: Bool
        /// Whether the source device now uses the identifier for a different item.
        package var reused: Bool
        package var members: [Member]
        package var gone: [Gone]
        package var ambiguousAliases: [String]
        /// The contradictions. If there are any, or if `truncated` is true, the service uses only items of the source
        /// device and the requesting device as evidence.
        package var contradictions: [Contradiction]
        package var truncated: Bool

        package init(
            dataSource: String, scope: Scope?, role: String, source: String?, identifier: String?, aliases: [String],
            step: ResolutionStep, confidence: Double, ambiguous: Bool, neighbor: String?,
            neighborBy: NeighborSource?, limitedBy: Bound?, decided: Bool, reused: Bool, members: [Member],
            gone: [Gone], ambiguousAliases: [String], contradictions: [Contradiction], truncated: Bool
        ) {
            self.dataSource = dataSource
            self.scope = scope
            self.role = role
            self.source = source
            self.identifier = identifier
            self.aliases = aliases
            self.step = step
            self.confidence = confidence
            self.ambiguous = ambiguous
            self.neighbor = neighbor
            self.neighborBy = neighborBy
            self.limitedBy = limitedBy
            self.decided = decided
            self.reused = reused
            self.members = members
            self.gone = gone
            self.ambiguousAliases = ambiguousAliases
            self.contradictions = contradictions
            self.truncated = truncated
        }
    }
}
