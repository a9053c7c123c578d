package import PlacekeeperCore
package import PlacekeeperService

extension InMemoryStore {
    package func log(_ entries: [RestoreLogEntry]) {
        for entry in entries where entry.party.map({ devices[$0.device]?.owner == $0.owner }) ?? true {
            restoreLogPosition += 1
            restoreLog.append((restoreLogPosition, entry))
            guard case .report(let report) = entry, !report.isFailure else { continue }
            let (day, known) = (report.at.day, users[report.owner]?.restoreDays)
            users[report.owner]?.restoreDays = (known?.lowerBound ?? day)...max(known?.upperBound ?? day, day)
        }
        for app in Set(entries.map(\.app)) {
            for kind in RestoreLogEntry.Kind.allCases {
                let kept = restoreLog.filter { $0.entry.app == app && $0.entry.kind == kind }
                    .suffix(Retention.restoreLogEntries)
                guard let first = kept.first?.position else { continue }
                restoreLog.removeAll { $0.position < first && $0.entry.app == app && $0.entry.kind == kind }
            }
        }
    }

    package func restoreLog(
        _ kind: RestoreLogEntry.Kind, of app: AppID, below position: Int64?, limit: Int
    ) -> RestoreLogPage {
        page(below: position, limit: limit) { $0.app == app && $0.kind == kind }
    }

    package func restoreAnswers(
        to owner: UserKey, of device: DeviceID?, below position: Int64?, limit: Int
    ) -> RestoreLogPage {
        page(below: position, limit: limit) { entry in
            guard entry.kind == .answer, let party = entry.party, party.owner == owner else { return false }
            return device == nil || party.device == device
        }
    }

    private func page(
        below position: Int64?, limit: Int, of isIncluded: (RestoreLogEntry) -> Bool
    ) -> RestoreLogPage {
        let rows = restoreLog.reversed().filter { $0.position < position ?? .max && isIncluded($0.entry) }.prefix(limit)
        let entries = rows.map { row in
            guard case .report(var report) = row.entry, let user = self.users[report.owner] else { return row.entry }
            report.tenure = RestoreReport.UserTenure(
                createdAt: user.createdAt, restoredOnTwoDays: (user.restoreDays?.count ?? 0) > 1)
            return .report(report)
        }
        var page = RestoreLogPage(entries: Array(entries), next: rows.count == limit ? rows.last?.position : nil)
        page.positions = rows.map(\.position)
        return page
    }

    /// Moves the entries of a device, or of all the user's devices if `device` is nil, to another user.
    func moveLogEntries(of device: DeviceID?, from source: UserKey, to target: UserKey) {
        for (index, row) in restoreLog.enumerated() {
            guard let party = row.entry.party, party.owner == source, device ?? party.device == party.device else {
                continue
            }
            switch row.entry {
            case .answer(var answer):
                answer.owner = target
                restoreLog[index].entry = .answer(answer)
            case .report(var report):
                report.owner = target
                restoreLog[index].entry = .report(report)
            case .note: break
            }
        }
    }
}
