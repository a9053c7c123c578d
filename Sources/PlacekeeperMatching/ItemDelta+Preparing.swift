package import PlacekeeperCore

extension ItemDelta {
    /// Computes the lookup keys, sealed texts and digests that a store needs.
    ///
    /// - Parameter isShared: whether the list's identifiers are the same on all devices.
    package func prepared(
        for owner: UserKey, at time: Timestamp, in environment: IdentityEnvironment, isShared: Bool = false
    ) -> PreparedDelta {
        let sealing = environment.sealing
        let hashing = environment.hashing
        let lookup = environment.lookup
        var texts: [LookupText] = []
        texts.reserveCapacity(upserts.count * 2)
        for item in upserts {
            texts.append(.identifier(item.identifier))
            texts += item.aliases.lazy.map { .alias($0) }
        }
        texts += removals.lazy.map { .identifier($0) }
        for redirect in redirects { texts += [.identifier(redirect.from), .identifier(redirect.to)] }
        let keys = lookup.keys(of: texts, for: owner)
        var delta = PreparedDelta(
            upserts: [], removals: [], redirects: [], after: after, time: time
        ) { stored, sealed throws(StoreError) in
            let texts = try ItemTexts(reading: try sealing.open(sealed, for: owner))
            return ItemDigest(
                of: Item(texts.identifier, aliases: texts.aliases, position: stored.position), hashing)
        } lostAliases: { sealed, kept throws(StoreError) in
            let texts = try ItemTexts(reading: try sealing.open(sealed, for: owner))
            var seen = Set(kept)
            let lost = zip(lookup.keys(ofAliases: texts.aliases, for: owner), texts.aliases)
                .filter { seen.insert($0.0).inserted }
            let lostTexts = ItemTexts(identifier: texts.identifier, aliases: lost.map(\.1))
            return .init(keys: lost.map(\.0), texts: sealing.seal(lostTexts.bytes, for: owner))
        }
        delta.isShared = isShared
        var next = 0
        delta.upserts.reserveCapacity(upserts.count)
        for item in upserts {
            let end = next + 1 + item.aliases.count
            let stored = ItemTexts(identifier: item.identifier, aliases: item.aliases).bytes
            delta.upserts.append(
                PreparedDelta.Upsert(
                    key: keys[next], aliases: keys[next + 1..<end].distinct, position: item.position,
                    texts: sealing.seal(stored, for: owner), digest: ItemDigest(of: item, hashing)))
            next = end
        }
        delta.removals = Array(keys[next..<next + removals.count])
        next += removals.count
        for redirect in redirects {
            let stored = ItemTexts(identifier: redirect.from, aliases: isShared ? [redirect.to] : []).bytes
            delta.redirects.append(
                PreparedDelta.Redirect(
                    from: keys[next], to: keys[next + 1], texts: sealing.seal(stored, for: owner)))
            next += 2
        }
        return delta
    }
}
