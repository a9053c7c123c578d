import Testing

@testable import placekeeper

@Suite struct ScheduleTests {
    @Test func schedulesChoresAtTheirIntervals() {
        var schedule = Schedule()
        var times: [Schedule.Chore: [Int]] = [:]
        for second in 1...7300 {
            for chore in schedule.next() { times[chore, default: []].append(second) }
        }
        #expect(times[.noticeChanges] == Array(1...7300))
        #expect(times[.checkKeyFiles] == Array(stride(from: 1, through: 7300, by: 5)))
        #expect(times[.noticeBackups] == times[.checkKeyFiles])
        #expect(times[.checkClock] == Array(stride(from: 1, through: 7300, by: 60)))
        #expect(times[.sendHeartbeats] == Array(stride(from: 15, through: 7300, by: 15)))
        #expect(times[.watch] == times[.sendHeartbeats])
        #expect(times[.tellAlerts] == times[.noticeChanges])
        #expect(times[.flush] == Array(stride(from: 60, through: 7300, by: 60)))
        #expect(times[.judgeRestores] == times[.flush])
        #expect(times[.prune] == [60, 3660, 7260])
    }
}
