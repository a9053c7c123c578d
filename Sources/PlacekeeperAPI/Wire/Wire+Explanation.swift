extension Wire {
    /// A device of the user, as far as it is still known.
    package struct ExplainedDevice: Sendable, Hashable, Codable {
        package var id: String
        package var name: String?
        package var model: String?
        /// Whether it made the archive.
        package var source: Bool
        /// Whether it is the one that asks.
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

    package enum NeighbourSource: String, WireChoice {
        case archive, position
    }

    package enum Bound: String, WireChoice {
        case neighbours, size
    }

    /// How one reference of the archive that is served is resolved.
    package struct ReferenceExplanation: Sendable, Hashable, Codable {
        /// An item that evidence or a decision makes one with it.
        package struct Member: Sendable, Hashable, Codable {
            package var item: ExplainedItem
            package var sharedAliases: [String]
            /// That an operator decided it to be one with a member before it.
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

        /// An item that could have been the one, and is not there any more.
        package struct Gone: Sendable, Hashable, Codable {
            package var item: ExplainedItem
            package var sharedAliases: [String]
            /// What took its place on its device; absent where it was removed.
            package var replacement: String?

            package init(item: ExplainedItem, sharedAliases: [String], replacement: String?) {
                self.item = item
                self.sharedAliases = sharedAliases
                self.replacement = replacement
            }
        }

        /// Two members that cannot be one.
        package struct Contradiction: Sendable, Hashable, Codable {
            package var first: ExplainedItem
            package var second: ExplainedItem
            /// The note of the operator who decided that they are two; absent where they are of one device.
            package var note: String?

            package init(first: ExplainedItem, second: ExplainedItem, note: String?) {
                self.first = first
                self.second = second
                self.note = note
            }
        }

        package var dataSource: String
        /// Absent when the app declared no such data source: its references stay as they are.
        package var scope: Scope?
        package var role: String
        package var source: String?
        package var identifier: String?
        package var aliases: [String]
        package var step: ResolutionStep
        package var confidence: Double
        package var ambiguous: Bool
        /// What a neighbour was found by; absent at other steps.
        package var neighbourBy: NeighbourSource?
        /// The bound by which it was left unresolved; absent where it was not for one.
        package var limitedBy: Bound?
        /// Whether an operator decided that what was found is the one.
        package var decided: Bool
        /// Whether the identifier names another item by now.
        package var reused: Bool
        package var members: [Member]
        package var gone: [Gone]
        package var setAside: [String]
        /// Where there are any, or more members than there may be, nothing is concluded through third devices.
        package var contradictions: [Contradiction]
        package var overgrown: Bool

        package init(
            dataSource: String, scope: Scope?, role: String, source: String?, identifier: String?, aliases: [String],
            step: ResolutionStep, confidence: Double, ambiguous: Bool, neighbourBy: NeighbourSource?,
            limitedBy: Bound?, decided: Bool, reused: Bool, members: [Member], gone: [Gone], setAside: [String],
            contradictions: [Contradiction],
            overgrown: Bool
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
            self.neighbourBy = neighbourBy
            self.limitedBy = limitedBy
            self.decided = decided
            self.reused = reused
            self.members = members
            self.gone = gone
            self.setAside = setAside
            self.contradictions = contradictions
            self.overgrown = overgrown
        }
    }
}
