import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// Computes the expected results of the service by the rules of docs/identity-algorithm.md in their simplest form, at
/// any cost. The oracle compares identifiers as bytes, and aliases as Swift strings.
struct IdentityOracle {
    struct Name: Hashable {
        var device: Int
        /// The identifier in UTF-8.
        private var bytes: [UInt8]
        /// Whether this is a stand-in for the aliases that the item has lost.
        var isOfLostAliases = false
        var identifier: String { String(decoding: bytes, as: UTF8.self) }

        init(device: Int, identifier: String) {
            self.device = device
            bytes = Array(identifier.utf8)
        }

        var ofLostAliases: Name {
            var name = self
            name.isOfLostAliases = true
            return name
        }
    }

    struct Entry {
        var name: Name
        var aliases: Set<String>
        var changedAt: Timestamp
        /// Since when the identifier names the item.
        var since: Timestamp
        /// Whether the identifier named another item before.
        var isReuse = false
        var number: Int
        var isLive = true
        var successor: Name?
        var replacedAt: Timestamp?

        /// Whether the identifier was given to this item after a time, in place of another item.
        func isReuse(after time: Timestamp) -> Bool { isReuse && since > time }
    }

    struct Decision {
        var pair: Set<Name>
        var kind: Link.Kind
        var at: Timestamp
    }

    struct Answer: Equatable {
        /// The identifier in UTF-8.
        private var bytes: [UInt8]?
        var step: ItemResolution.Step
        var isAmbiguous: Bool
        var identifier: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

        init(identifier: String? = nil, step: ItemResolution.Step, isAmbiguous: Bool = false) {
            bytes = identifier.map { Array($0.utf8) }
            self.step = step
            self.isAmbiguous = isAmbiguous
        }
    }

    /// The kinds of aliases that different things never share, as the data source promises.
    var uniqueKinds: Set<String> = []
    var entries: [Name: Entry] = [:]
    private var allDecisions: [Decision] = []
    private var nextNumber = 0

    // Actions of devices and operators.

    /// Applies a delta. Returns false and changes nothing if a redirect does not end in a live item.
    mutating func apply(_ delta: ItemDelta, by device: Int, at time: Timestamp) -> Bool {
        var new = self
        let after = self.after(delta, by: device)
        for item in delta.upserts {
            // The aliases that another live item of the device has, before the delta or after it.
            let held = [entries, after].flatMap(\.values).reduce(into: Set<String>()) { held, other in
                if other.name.device == device, other.name != Name(device: device, identifier: item.identifier),
                    other.isLive
                {
                    held.formUnion(other.aliases)
                }
            }
            new.upsert(item, without: held, by: device, at: time)
        }
        for identifier in delta.removals { new.entries[Name(device: device, identifier: identifier)]?.isLive = false }
        for redirect in delta.redirects {
            let name = Name(device: device, identifier: redirect.from)
            if new.entries[name] == nil {
                new.nextNumber += 1
                new.entries[name] = Entry(
                    name: name, aliases: [], changedAt: time, since: time, number: new.nextNumber)
            }
            // A redirect that has ended begins anew.
            let successor = Name(device: device, identifier: redirect.to)
            let hasEnded =
                new.entries[successor].map { $0.isReuse && $0.since > new.entries[name]?.replacedAt ?? time } ?? false
            if new.entries[name]?.successor != successor || hasEnded { new.entries[name]?.replacedAt = time }
            new.entries[name]?.isLive = false
            new.entries[name]?.successor = successor
        }
        for redirect in delta.redirects {
            guard new.followed(Name(device: device, identifier: redirect.from))?.isLive == true else { return false }
        }
        self = new
        return true
    }

    /// The items after a delta, with their aliases.
    private func after(_ delta: ItemDelta, by device: Int) -> [Name: Entry] {
        var after = entries
        for item in delta.upserts {
            let name = Name(device: device, identifier: item.identifier)
            let (time, aliases) = (Timestamp(milliseconds: 0), Set(item.aliases))
            after[name] = Entry(name: name, aliases: aliases, changedAt: time, since: time, number: 0)
        }
        for identifier in delta.removals + delta.redirects.map(\.from) {
            after[Name(device: device, identifier: identifier)]?.isLive = false
        }
        return after
    }

    /// - Parameter held: the aliases that other items of the device have.
    private mutating func upsert(_ item: Item, without held: Set<String>, by device: Int, at time: Timestamp) {
        let name = Name(device: device, identifier: item.identifier)
        let (known, aliases) = (entries[name], Set(item.aliases))
        if let known, known.isLive, known.aliases == aliases { return }
        if known == nil { nextNumber += 1 }
        var entry = Entry(
            name: name, aliases: aliases, changedAt: time, since: time, number: known?.number ?? nextNumber)
        if let known {
            let onlyGetsOrLoses = known.aliases.isSubset(of: aliases) || aliases.isSubset(of: known.aliases)
            let isProved = !known.aliases.intersection(aliases).subtracting(held).isEmpty
            let isKept = (known.isLive && onlyGetsOrLoses) || isProved
            (entry.since, entry.isReuse) = isKept ? (known.since, known.isReuse) : (time, true)
            if known.isLive, isProved, !aliases.isSuperset(of: known.aliases) {
                keep(known.aliases.subtracting(aliases), lostBy: name, at: time)
            }
        }
        entries[name] = entry
    }

    /// Keeps the aliases that an item loses as those of an item that it replaces.
    private mutating func keep(_ lost: Set<String>, lostBy item: Name, at time: Timestamp) {
        let name = item.ofLostAliases
        if entries[name] == nil { nextNumber += 1 }
        entries[name] = Entry(
            name: name, aliases: lost, changedAt: time, since: time, number: entries[name]?.number ?? nextNumber,
            isLive: false, successor: item, replacedAt: time)
    }

    mutating func decide(_ kind: Link.Kind?, _ one: Name, _ other: Name, at time: Timestamp) {
        allDecisions.removeAll { $0.pair == [one, other] }
        if let kind { allDecisions.append(Decision(pair: [one, other], kind: kind, at: time)) }
    }

    /// The decisions that hold: no identifier of theirs was given to another item since.
    private var decisions: [Decision] {
        allDecisions.filter { decision in
            !decision.pair.contains { name in
                entries[name].map { $0.isReuse && $0.since > decision.at } ?? false
            }
        }
    }

    /// Whether a decision does not hold any more.
    var hasEndedDecisions: Bool { decisions.count < allDecisions.count }

    // Results of the actions.

    private var live: [Entry] { entries.values.filter(\.isLive) }

    private var ambiguousAliases: Set<String> {
        var counts: [String: [Int: Int]] = [:]
        for entry in live {
            for alias in entry.aliases { counts[alias, default: [:]][entry.name.device, default: 0] += 1 }
        }
        return Set(counts.filter { $0.value.values.contains { $0 > 1 } }.keys)
    }

    private func followed(_ name: Name) -> Entry? { chain(from: name).last }

    /// Returns an item and its replacements, one after the other.
    private func chain(from name: Name) -> [Entry] {
        var chain = entries[name].map { [$0] } ?? []
        while let last = chain.last, let successor = last.successor, !last.isLive, chain.count <= 40 {
            guard let next = entries[successor],
                !(next.isReuse && next.since > last.replacedAt ?? last.since)
            else { return [] }
            chain.append(next)
        }
        return chain
    }

    private func decided(_ kind: Link.Kind, _ one: Name, _ other: Name) -> Bool {
        decisions.contains { $0.kind == kind && $0.pair == [one, other] }
    }

    /// Whether a decision is about `other` and an identifier that an item of the chain has.
    private func decided(_ kind: Link.Kind, _ chain: [Entry], _ other: Name) -> Bool {
        chain.contains { decided(kind, $0.name, other) }
    }

    /// Whether an operator decided that an item of the chain is the live item, or is an item that the live item replaced.
    private func leads(_ chain: [Entry], to entry: Entry) -> Bool {
        entries.values.contains { other in
            other.name.device == entry.name.device && decided(.same, chain, other.name)
                && followed(other.name)?.name == entry.name
        }
    }

    /// Returns all live items that are connected with the given items, and the given items.
    private func component(of seeds: [Entry], without ambiguousAliases: Set<String>) -> [Entry] {
        var members = seeds
        var hasGrown = true
        while hasGrown {
            hasGrown = false
            for entry in live where !members.contains(where: { $0.name == entry.name }) {
                let isConnected = members.contains { member in
                    !member.aliases.intersection(entry.aliases).subtracting(ambiguousAliases).isEmpty
                        || leads([member], to: entry)
                }
                if isConnected {
                    members.append(entry)
                    hasGrown = true
                }
            }
        }
        return members
    }

    /// Resolves an item of the source device that is in no archive. The lists have no positions, so nothing supports an
    /// item with a weak alias.
    func resolve(_ identifier: String, of device: Int, at time: Timestamp, for requestingDevice: Int) -> Answer {
        var shared = Shared()
        let answer = resolve(Evidence(identifier), of: device, writtenAt: time, for: requestingDevice, &shared)
        guard device != requestingDevice, !answer.isAmbiguous, shared.aliases.count == 1 else { return answer }
        let weakKinds = Set(ambiguousAliases.map(Self.kind)).subtracting(uniqueKinds)
        let kind = shared.aliases.map(Self.kind)[0]
        let isWeak = shared.isByReplacement ? !uniqueKinds.contains(kind) : weakKinds.contains(kind)
        return isWeak && !weakKinds.isEmpty ? Answer(step: .pending) : answer
    }

    /// The aliases that the subject shares with the item found, or with items that this item replaced. Empty if the
    /// item is found in another way.
    private struct Shared {
        var aliases: Set<String> = []
        var isByReplacement = false
    }

    private static func kind(of alias: String) -> String {
        let parts = alias.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : ""
    }

    func resolve(
        _ reference: Evidence, among references: [Evidence] = [], of device: Int, writtenAt: Timestamp,
        for requestingDevice: Int
    ) -> Answer {
        var shared = Shared()
        return resolve(
            reference, among: references, of: device, writtenAt: writtenAt, for: requestingDevice, &shared)
    }

    private func resolve(
        _ reference: Evidence, among references: [Evidence] = [], of device: Int, writtenAt: Timestamp,
        for requestingDevice: Int, _ found: inout Shared
    ) -> Answer {
        let (identifier, aliases) = (reference.identifier, Set(reference.aliases))
        let shared = references.flatMap(\.aliases).filter { alias in
            references.contains { $0.aliases.suffix($0.sharedCount).contains(alias) }
                || Set(
                    references.filter { $0.aliases.contains(alias) }.compactMap { $0.identifier.map { Array($0.utf8) } }
                )
                .count > 1
        }
        let ambiguousAliases = ambiguousAliases.union(shared)
        var named = identifier.flatMap { entries[Name(device: device, identifier: $0)] }
        var isReused = false
        if let present = named, present.since > writtenAt,
            present.aliases.intersection(aliases).subtracting(ambiguousAliases).isEmpty,
            present.isReuse || !(present.aliases.isSubset(of: aliases) || aliases.isSubset(of: present.aliases))
        {
            isReused = true
            named = nil
        }
        var chain = named.map { self.chain(from: $0.name) } ?? []
        var former = named.map { replacedItems(from: $0.name) } ?? []
        var item = chain.last
        // A decision about an item holds although its redirect has ended.
        if chain.isEmpty { chain = former }
        // An item whose replacement is gone counts as removed.
        if item?.isLive != true { (former, item) = ([], named) }
        if let live = item, live.isLive, let lost = entries[live.name.ofLostAliases],
            !live.isReuse(after: lost.changedAt)
        {
            former.append(lost)
        }
        if requestingDevice == device, let item, item.isLive {
            return Answer(identifier: item.name.identifier, step: .exact)
        }
        let evidence = aliases.union(item?.aliases ?? []).subtracting(ambiguousAliases)
        func answer(_ evidence: Set<String>, _ found: inout Shared) -> Answer {
            self.answer(
                reference, evidence, item, chain, isReused: isReused, without: ambiguousAliases, shared: Set(shared),
                of: device, for: requestingDevice, &found)
        }
        let first = answer(evidence, &found)
        guard first.identifier == nil, !former.isEmpty else { return first }
        let others = live.filter { $0.name.device == device && $0.name != item?.name }.flatMap(\.aliases)
        let further = Set(former.flatMap(\.aliases)).subtracting(others).subtracting(ambiguousAliases)
        let second = answer(evidence.union(further), &found)
        return second.identifier == nil ? first : second
    }

    /// Returns the items on the way from an item to its last replacement, as far as they are known.
    private func replacedItems(from name: Name) -> [Entry] {
        var replaced: [Entry] = []
        var name = name
        while let entry = entries[name], let successor = entry.successor, !entry.isLive, replaced.count <= 40 {
            if let last = replaced.last, entry.isReuse, entry.since > last.replacedAt ?? last.since { break }
            replaced.append(entry)
            name = successor
        }
        return replaced
    }

    private func answer(
        _ reference: Evidence, _ evidence: Set<String>, _ item: Entry?, _ chain: [Entry], isReused: Bool,
        without ambiguousAliases: Set<String>, shared: Set<String>, of device: Int, for requestingDevice: Int,
        _ found: inout Shared
    ) -> Answer {
        let (identifier, aliases) = (reference.identifier, Set(reference.aliases))
        let theirs = live.filter { $0.name.device == requestingDevice }
        let candidates = theirs.filter { candidate in
            if decided(.different, chain, candidate.name) { return false }
            if isDecided(chain, candidate) { return true }
            return !candidate.aliases.isDisjoint(with: evidence)
        }
        let best = candidates.max { rank($0, chain, evidence).lexicographicallyPrecedes(rank($1, chain, evidence)) }
        if let best {
            if !isDecided(chain, best) { found.aliases = best.aliases.intersection(evidence) }
            return Answer(identifier: best.name.identifier, step: .alias, isAmbiguous: candidates.count > 1)
        }
        if let replacement = replacement(of: chain, evidence, for: requestingDevice) {
            found = Shared(aliases: replacement.sharedAliases, isByReplacement: true)
            return replacement.answer
        }
        if requestingDevice == device, identifier != nil {
            return isReused ? Answer(step: .unresolved) : Answer(identifier: identifier, step: .exact)
        }
        if item == nil, evidence.isEmpty { return Answer(step: .unresolved) }

        let seeds = live.filter { entry in
            entry.name == item?.name || !entry.aliases.isDisjoint(with: evidence) || leads(chain, to: entry)
        }
        let members = component(of: seeds, without: ambiguousAliases)
        let others = members.filter { $0.name != item?.name }
        let aliasCount = others.reduce(into: evidence) { $0.formUnion($1.aliases.subtracting(shared)) }.count
        let isSound =
            members.count <= 64 && aliasCount <= 512 && Set(members.map(\.name.device)).count == members.count
            && !decisions.contains {
                $0.kind == .different && $0.pair.isSubset(of: (members + chain).map(\.name))
            }
        if isSound, let member = members.first(where: { $0.name.device == requestingDevice }) {
            return Answer(identifier: member.name.identifier, step: .alias)
        }
        let isGone = entries.values.contains { gone in
            guard gone.name.device == requestingDevice, !gone.isLive, !gone.name.isOfLostAliases else { return false }
            if decided(.different, chain, gone.name) { return false }
            return !gone.aliases.isDisjoint(with: evidence)
                || (decided(.same, chain, gone.name) && followed(gone.name)?.isLive != true)
        }
        let isKnown = seeds.contains { $0.name.device != requestingDevice } || (item == nil && !aliases.isEmpty)
        return Answer(step: !isGone && isKnown ? .pending : .unresolved)
    }

    /// Whether an operator decided that the subject is the candidate, or is an item that the candidate replaced.
    private func isDecided(_ chain: [Entry], _ candidate: Entry) -> Bool {
        entries.values.contains { entry in
            entry.name.device == candidate.name.device && decided(.same, chain, entry.name)
                && !decided(.different, chain, entry.name) && followed(entry.name)?.name == candidate.name
        }
    }

    /// Returns the replacement of items that share evidence with the subject. For each alias, only the newest item with
    /// this alias is considered.
    private func replacement(
        of chain: [Entry], _ evidence: Set<String>, for requestingDevice: Int
    ) -> (answer: Answer, sharedAliases: Set<String>)? {
        var votes: [Name: Set<String>] = [:]
        for alias in evidence {
            let items = entries.values.filter { item in
                item.name.device == requestingDevice && item.aliases.contains(alias)
                    && (item.isLive || !decided(.different, chain, item.name))
            }
            guard !items.contains(where: \.isLive), let newest = items.max(by: { $0.number < $1.number }),
                newest.successor != nil, let end = followed(newest.name), end.isLive
            else { continue }
            if decided(.different, chain, end.name) { continue }
            votes[end.name, default: []].insert(alias)
        }
        let best = votes.max { one, other in
            func rank(_ name: Name, _ aliases: Set<String>) -> [Int] {
                [aliases.count, Int(entries[name]?.changedAt.milliseconds ?? 0), entries[name]?.number ?? 0]
            }
            return rank(one.key, one.value).lexicographicallyPrecedes(rank(other.key, other.value))
        }
        return best.map {
            (Answer(identifier: $0.key.identifier, step: .alias, isAmbiguous: votes.count > 1), $0.value)
        }
    }

    private func rank(_ candidate: Entry, _ chain: [Entry], _ evidence: Set<String>) -> [Int] {
        [
            isDecided(chain, candidate) ? 1 : 0, candidate.aliases.intersection(evidence).count,
            Int(candidate.changedAt.milliseconds),
            candidate.number,
        ]
    }
}
