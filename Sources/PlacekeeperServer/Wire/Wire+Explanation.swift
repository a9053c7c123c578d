package import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperMatching
package import PlacekeeperService

extension Wire.Explanation {
    package init(_ explanation: Explanation) {
        self.init(
            asked: Wire.Context(explanation.asked), served: explanation.served?.description,
            candidates: explanation.candidates.map(Wire.Candidate.init), head: explanation.head?.rawValue,
            references: explanation.references.map { Wire.ReferenceExplanation($0, in: ExplainedParties(explanation)) },
            referenceCount: explanation.referenceCount)
    }
}

/// The devices in an explanation.
struct ExplainedParties {
    var devices: [DeviceID: Device]
    var asking: DeviceID
    var source: DeviceID?

    init(devices: [DeviceID: Device], asking: DeviceID, source: DeviceID?) {
        self.devices = devices
        self.asking = asking
        self.source = source
    }

    init(_ explanation: Explanation) {
        self.init(devices: explanation.devices, asking: explanation.asking, source: explanation.source)
    }
}

extension Wire.ExplainedItem {
    fileprivate init(_ item: ItemName, in explanation: ExplainedParties) {
        let device = explanation.devices[item.device]
        self.init(
            device: Wire.ExplainedDevice(
                id: item.device.description, name: device?.name, model: device?.model,
                source: item.device == explanation.source, asking: item.device == explanation.asking),
            identifier: item.identifier)
    }
}

extension Wire.ReferenceExplanation {
    init(_ reference: ReferenceExplanation, in explanation: ExplainedParties) {
        func item(_ name: ItemName) -> Wire.ExplainedItem { .init(name, in: explanation) }
        let resolution = reference.resolution
        self.init(
            dataSource: reference.dataSource, scope: reference.scope.map(Wire.Scope.init), role: reference.role,
            source: reference.source, identifier: resolution.identifier, aliases: reference.aliases,
            step: Wire.ResolutionStep(resolution.step), confidence: resolution.confidence,
            ambiguous: resolution.isAmbiguous, neighbor: resolution.neighbor,
            neighborBy: resolution.neighborSource.map { $0 == .archive ? .archive : .position },
            limitedBy: resolution.limitedBy.map { $0 == .neighbors ? .neighbors : .size },
            decided: reference.isDecided, reused: reference.isReused,
            members: reference.members.map { member in
                Member(
                    item: item(member.item), sharedAliases: member.sharedAliases,
                    decision: member.decision.map { Decision(other: item($0.other), note: $0.note) })
            },
            gone: reference.gone.map {
                Gone(item: item($0.item), sharedAliases: $0.sharedAliases, replacement: $0.replacement)
            },
            ambiguousAliases: reference.ambiguousAliases,
            contradictions: reference.contradictions.map {
                Contradiction(first: item($0.first), second: item($0.second), note: $0.note)
            },
            truncated: reference.isTruncated)
    }
}
