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

    /// The resolution of a model reference of the served archive, with the evidence.
    package struct ReferenceExplanation: Sendable, Hashable, Codable {
        /// An item that, by evidence or by an operator's decision, is the reference's item.
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

        /// An item that could have matched the reference, but was removed or replaced.
        package struct Gone: Sendable, Hashable, Codable {
            package var item: ExplainedItem
            package var sharedAliases: [String]
            /// The identifier of the item that replaced this item on its device. Absent if this item was removed.
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
            /// The note of the operator's decision that the items are different. Absent if both items belong to one
            /// device.
            package var note: String?

            package init(first: ExplainedItem, second: ExplainedItem, note: String?) {
                self.first = first
                self.second = second
                self.note = note
            }
        }

        package var dataSource: String
        /// The data source's scope. Absent if the app has not declared the data source. The service does not change
        /// references to an undeclared data source.
        package var scope: Scope?
        package var role: String
        package var source: String?
        package var identifier: String?
        package var aliases: [String]
        package var step: ResolutionStep
        package var confidence: Double
        package var ambiguous: Bool
        /// The identifier of the neighbor that replaces a pending first visible item until the item arrives.
        package var neighbor: String?
        /// The source of the neighbor: the archive or the registered positions. Absent if the service chose no neighbor.
        package var neighborBy: NeighborSource?
        /// The work limit that was reached, if the reference was left unresolved, or pending without a neighbor, because
        /// of a work limit.
        package var limitedBy: Bound?
        /// Whether the item was found by an operator's decision.
        package var decided: Bool
        /// Whether the source device now uses the identifier for another item.
        package var reused: Bool
        package var members: [Member]
        package var gone: [Gone]
        package var ambiguousAliases: [String]
        /// The contradictions. If there is a contradiction, or if `truncated` is true, the service uses as
        /// evidence only items of the source device and the requesting device.
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
