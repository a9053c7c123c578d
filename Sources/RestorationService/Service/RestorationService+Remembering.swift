extension RestorationService {
    /// The form of what `latest` would answer now to a question that the caller asked before; nil when it has to be asked.
    package func remembered(_ question: ArraySlice<UInt8>, in scene: String, caller: Caller) throws(ServiceError)
        -> (any AnswerForm)?
    {
        let head = store.rememberedHead(of: try key(of: scene, caller))
        guard let answer = head?.answer(to: question, of: caller, at: clock.now()) else { return nil }
        if let identity = answer.identity, !identityVersions.isCurrent(identity) { return nil }
        return answer.form
    }

    /// Keeps the form of an answer of `latest` for the next time, if that will not depend on anything but the question,
    /// the caller, the head, the time, and what is known of the user's identities.
    ///
    /// - Parameters:
    ///   - bytes: what the archive is served as, if the form holds it. The store does not hold what it finds too large.
    ///   - question: all of the request that the answer depends on, besides caller and scene.
    package func remember(
        _ form: any AnswerForm, of served: Selection.Served, with bytes: [UInt8]?, to question: ArraySlice<UInt8>,
        caller: Caller
    ) {
        let archive = served.archive
        // Outcomes and what stands below the head are judged anew each time.
        guard question.count <= RememberedHead.longestQuestion, served.head == archive.revision,
            served.superseded == nil,
            let head = store.rememberedHead(of: archive.scene), head.archive.revision == archive.revision,
            !archive.hasOutcomes, !head.archive.hasOutcomes,
            isNoted(archive, for: caller)
        else { return }
        let expiry = caller.app.settings.policy.lastMoment(of: archive) ?? Timestamp(milliseconds: .max)
        // Bytes that were rewritten are the answer's own; others it shares with the head.
        let size = bytes.map { $0 == head.bytes ? 0 : $0.count } ?? 0
        store.remember(
            RememberedAnswer(
                caller: caller, question: Array(question), expiry: expiry, form: form, size: size,
                identity: served.identity), with: head)
    }
}
