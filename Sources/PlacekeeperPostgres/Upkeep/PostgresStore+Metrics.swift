import PlacekeeperConcurrency
import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    package var metrics: [Metric] {
        let (reading, probing, committing) = (pool.load, probing.load, writing.load)
        let pools = [("reads", pool), ("versions", self.probing), ("writes", writing)]
        let running = [reading, probing, committing].map(\.running)
        return [
            Metric("waiting_writes", .gauge, "The writes that wait for a transaction.", commits.waitingWrites),
            Metric(
                "transactions_total", .counter, "The committed transactions of users' writes.",
                commits.committed.transactions),
            Metric("writes_total", .counter, "The writes of these transactions.", commits.committed.writes),
            Metric(
                "lost_races_total", .counter, "The attempts of writes that lost against another write.",
                lostRaces.value(at: 0)),
            Metric(
                "waiting_reads", .gauge, "The reads that wait for a connection to the database.",
                reading.waiting + probing.waiting),
            Metric(
                "waiting_commits", .gauge, "The transactions that wait for a connection to the database.",
                committing.waiting),
            Metric(
                "late_connections", .gauge,
                "The connections that wait for the database although their requests failed.",
                reading.late + probing.late + committing.late),
        ]
            + pools.map {
                Metric(
                    "connections_limit", .gauge, "The maximum number of connections to the database, by their use.",
                    $1.width, labels: [("use", $0)])
            }
            + zip(pools, running).map {
                Metric(
                    "connections_busy", .gauge, "The connections that run statements, by their use.", $1,
                    labels: [("use", $0.0)])
            }
            + writing.times.samples(of: "commit_seconds", "The times of transactions that write, with their commit.")
    }
}
