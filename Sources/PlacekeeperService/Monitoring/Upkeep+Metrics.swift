import PlacekeeperConcurrency
import PlacekeeperCore

extension Upkeep {
    /// Metrics of restores, uploads, log-ins and alerts since the start of the process, over all apps. The number of
    /// series is fixed: it depends neither on the apps nor on the clients.
    package var eventMetrics: [Metric] {
        let events = service.hourlyCounters
        let breaker = service.alerts.current.map(\.alert.kind)
        return [
            Metric("uploads_total", .counter, "The uploaded archives.", events.total("upload", "stored"))
        ]
            + ["full", "place"].map {
                Metric(
                    "restores_total", .counter,
                    "The archives that were served to a device for the first time, by fidelity.",
                    events.total("restore", $0), labels: [("fidelity", $0)])
            }
            + Reason.Code.all.map {
                Metric(
                    "restore_refusals_total", .counter,
                    "The answers without an archive, by each reason against the archives.",
                    events.total("refusal", $0.rawValue), labels: [("reason", $0.rawValue)])
            }
            + Outcome.Result.allCases.filter { $0 != .began }.map {
                Metric(
                    "restore_outcomes_total", .counter, "The outcomes of restores that devices reported, by result.",
                    events.total("outcome", $0.rawValue), labels: [("result", $0.rawValue)])
            }
            + [
                Metric(
                    "quarantined_answers_total", .counter,
                    "The answers that left out an archive because a restore of it failed.",
                    Int(clamping: service.quarantinedAnswers.value(at: 0))),
                Metric(
                    "breaker_alerts_total", .counter, "The alerts to pairs of versions whose restores fail.",
                    events.total("breaker", "alert")),
                Metric(
                    "breaker_stops_total", .counter, "The stops of restores by the breaker.",
                    events.total("breaker", "stop")),
                Metric(
                    "breaker_pairs", .gauge, "The pairs of versions whose restores fail or are stopped by the breaker.",
                    breaker.count { $0 == .restoresFailing }, labels: [("state", "alert")]),
                Metric(
                    "breaker_pairs", .gauge, "", breaker.count { $0 == .restoresStopped },
                    labels: [("state", "stopped")]),
            ]
            + LogInCounts.Result.allCases.map {
                Metric(
                    "log_ins_total", .counter, "The attempts of administrators to log in, by result.",
                    service.logIns.number($0), labels: [("result", $0.rawValue)])
            }
            + Alert.Kind.allCases.map { kind in
                Metric(
                    "alerts", .gauge, "The current alerts, by kind.",
                    service.alerts.current.count { $0.alert.kind == kind }, labels: [("alert", kind.rawValue)])
            }
    }
}
