// Flushes, for which callers wait.
extension ClientCore {
    /// Ends the flushes that have nothing left to send, or that cannot continue.
    func finishFlushes(at now: ClockReading) {
        for call in waiting where call.call.isFlush && call.hasBegun {
            if !scenes.values.contains(where: { $0.isSending || $0.dueAt.map { $0 <= now.uptime } == true }),
                !isListDue(at: now)
            {
                let waiting = hasPendingCaptures ? noRoom ?? problem : nil
                let error = waiting ?? savingFailure ?? listFailure
                saveFailures = [:]
                finish(call.callID, error.map { .failed($0) } ?? .done)
            } else if !backoff.allowsWork(at: now), let problem {
                finish(call.callID, .failed(problem))
            }
        }
    }

    /// The error if states wait because the service has no room for them.
    private var noRoom: PlacekeeperError? {
        let full = scenes.filter { $0.value.noRoom != nil && !$0.value.folder.captures.isEmpty }.sorted {
            $0.key < $1.key
        }
        guard let error = full.first?.value.noRoom else { return nil }
        let names = full.prefix(10).map(\.key) + (full.count > 10 ? ["\(full.count - 10) more"] : [])
        return PlacekeeperError(
            error.code, error.message + " These scenes wait: \(names.joined(separator: ", ")).",
            retryAfter: error.retryAfter)
    }
}
