extension RestorationService {
    /// Returns the remembered form of the answer of `latest` to a question that the caller asked before. Nil if
    /// `latest` must be called.
    package func remembered(_ question: ArraySlice<UInt8>, in scene: String, caller: Caller) throws(ServiceError)
        -> (any AnswerForm)?
    {
        let head = store.rememberedHead(of: try key(of: scene, caller))
        guard let answer = head?.answer(to: question, of: caller, at: clock.now()) else { return nil }
        if let identity = answer.identity, !identityVersions.isCurrent(identity) { return nil }
        return answer.form
    }

    /// Remembers the form of an answer of `latest`, if the answer depends only on the question, the caller, the head,
    /// the time, and the user's identities.
    ///
    /// - Parameters:
    ///   - bytes: the served bytes, if the form holds them. The store does not keep an answer that is too large.
    ///   - question: the parts of the request that the answer depends on, except the caller and the scene.
    package func remember(
        _ form: any AnswerForm, of served: Selection.Served, with bytes: [UInt8]?, to question: ArraySlice<UInt8>,
        caller: Caller
    ) {
        let archive = served.archive
        // An answer is not remembered if the archive or the head has outcomes, or if the archive is not the head:
        // such answers are decided again for each request.
        guard question.count <= RememberedHead.longestQuestion, served.head == archive.revision,
            served.superseded == nil,
            let head = store.rememberedHead(of: archive.scene), head.archive.revision == archive.revision,
            !archive.hasOutcomes, !head.archive.hasOutcomes,
            isNoted(archive, for: caller)
        else { return }
        let expiry = caller.app.settings.policy.lastMoment(of: archive) ?? Timestamp(milliseconds: .max)
        // Only rewritten bytes need additional memory. Other bytes are shared with the head.
        let size = bytes.map { $0 == head.bytes ? 0 : $0.count } ?? 0
        store.remember(
            RememberedAnswer(
                caller: caller, question: Array(question), expiry: expiry, form: form, size: size,
                identity: served.identity), with: head)
    }
}
