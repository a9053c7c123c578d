import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// Redacts users' texts in responses of the admin API.
///
/// An identifier or alias becomes `#` and the sixteen hexadecimal digits of its lookup key, a hash keyed by the store's
/// secret and the user. Equal texts get equal keys, so an administrator can follow an item from device to device
/// without seeing its text.
struct Redaction: Sendable {
    var isOn: Bool
    var owner: UserKey
    var service: RestorationService

    /// Redacts the title of a place.
    func title(_ text: String) -> String { isOn ? "…" : text }

    func aliases(_ texts: [String]) -> [String] {
        isOn ? service.lists.keys(of: texts.map { .alias($0) }, for: owner).map(Self.name) : texts
    }

    func identifier(_ text: String) -> String {
        isOn ? Self.name(service.lists.keys(of: [.identifier(text)], for: owner)[0]) : text
    }

    static func name(_ key: LookupKey) -> String {
        var name = Array("#".utf8)
        name.append(hexadecimal: UInt64(bitPattern: key.rawValue))
        return String(decoding: name, as: UTF8.self)
    }

    /// Returns the lookup key of a redacted identifier, also if contents are shown now: a link may be older. Nil if the
    /// text does not have the form of a redacted identifier.
    static func key(_ text: String) -> LookupKey? {
        guard text.utf8.count == 17, text.utf8.first == UInt8(ascii: "#") else { return nil }
        return LookupKey(cursor: String(text.dropFirst()))
    }

    func device(_ device: Device) -> Device {
        guard isOn else { return device }
        var device = device
        device.name = nil
        return device
    }

    func archive(_ archive: Archive) -> Archive {
        guard isOn else { return archive }
        var archive = archive
        archive.summary.place = archive.summary.place.map(title)
        return archive
    }

    func item(_ item: ItemName) -> ItemName {
        ItemName(device: item.device, identifier: identifier(item.identifier))
    }

    func reference(_ reference: ReferenceExplanation) -> ReferenceExplanation {
        guard isOn else { return reference }
        var reference = reference
        reference.source = reference.source.map(identifier)
        reference.aliases = aliases(reference.aliases)
        reference.ambiguousAliases = aliases(reference.ambiguousAliases)
        reference.resolution.identifier = reference.resolution.identifier.map(identifier)
        reference.resolution.neighbor = reference.resolution.neighbor.map(identifier)
        for index in reference.members.indices {
            reference.members[index].item = item(reference.members[index].item)
            reference.members[index].sharedAliases = aliases(reference.members[index].sharedAliases)
            if let other = reference.members[index].decision?.other {
                reference.members[index].decision?.other = item(other)
            }
        }
        for index in reference.gone.indices {
            reference.gone[index].item = item(reference.gone[index].item)
            reference.gone[index].sharedAliases = aliases(reference.gone[index].sharedAliases)
            reference.gone[index].replacement = reference.gone[index].replacement.map(identifier)
        }
        for index in reference.contradictions.indices {
            reference.contradictions[index].first = item(reference.contradictions[index].first)
            reference.contradictions[index].second = item(reference.contradictions[index].second)
        }
        return reference
    }

    func explanation(_ explanation: Explanation) -> Explanation {
        guard isOn else { return explanation }
        var explanation = explanation
        for index in explanation.candidates.indices {
            explanation.candidates[index].archive = archive(explanation.candidates[index].archive)
        }
        explanation.references = explanation.references.map(reference)
        explanation.devices = explanation.devices.mapValues(device)
        return explanation
    }
}
