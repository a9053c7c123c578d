/// The command line of the simulation.
struct SimulationOptions: Sendable {
    static let usage = """
        usage: placekeeper-bench-places [--users N] [--days N] [--seed N] [--json FILE] [--restless] [--rereaders]
                                          [--user N [--trace]]

        --users N    the number of users (1000)
        --days N     the number of days (30)
        --seed N     the seed of the random numbers (1)
        --json FILE  writes the results as JSON
        --restless   people sign in late, get more updates, and leave views that launch
        --rereaders  people go far back in a book and read on there, and slip far ahead; places have a progress
        --user N     runs one user
        --trace      prints everything that happens to the user
        """

    var users = 1000
    var days = 30
    var seed: UInt64 = 1
    var json: String?
    var user: Int?
    var isTraced = false
    var isRestless = false
    var isRereading = false

    init() {}

    /// Parses the arguments. Nil if they are not valid.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            if name == "--trace" {
                isTraced = true
                continue
            }
            if name == "--restless" {
                isRestless = true
                continue
            }
            if name == "--rereaders" {
                isRereading = true
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            let number = Int(value)
            switch name {
            case "--json": json = value
            case "--users": users = number ?? 0
            case "--days": days = number ?? 0
            case "--user": user = number ?? -1
            case "--seed":
                guard let number = UInt64(value) else { return nil }
                seed = number
            default: return nil
            }
        }
        guard 1...100_000 ~= users, 1...365 ~= days, user.map({ 0...100_000 ~= $0 }) ?? !isTraced else { return nil }
    }
}
