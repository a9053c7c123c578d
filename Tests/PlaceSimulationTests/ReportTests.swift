import Foundation
import Testing

@testable import placekeeper_bench_places

struct ReportTests {
    /// Returns a report of a number of launches, of which some are wrong with Placekeeper and with newest-upload-wins.
    private func report(wrong: Int, nothing: Int = 0, newest: Int, cause: Cause = .viewOnlyCaptureAfterWork) -> Report {
        var tally = Tally()
        for number in 0..<1000 {
            let answer: Answer = number < wrong ? .wrong : number < wrong + nothing ? .nothing : .restored
            tally.add(Tally.placekeeper, .known, answer, day: 0)
            tally.add(NewestUpload.name, .known, number < newest ? .wrong : .restored, day: 0)
            tally.add(Tally.placekeeper, .notSent, .wrong, day: 0)
        }
        for _ in 0..<wrong { tally.cases.append(.init(cause: cause, user: 3, day: 0, device: 1, text: "text")) }
        var options = SimulationOptions()
        options.days = 2
        return Report(tally: tally, options: options)
    }

    @Test func barIsATwentiethOfNewestUploadAndExplainedCases() {
        #expect(report(wrong: 10, newest: 200).reachesBar)
        #expect(!report(wrong: 11, newest: 200).reachesBar)
        #expect(report(wrong: 10, nothing: 10, newest: 200).reachesBar)
        #expect(!report(wrong: 10, nothing: 11, newest: 200).reachesBar)
        #expect(!report(wrong: 1, newest: 200, cause: .unexplained).reachesBar)
    }

    @Test func textNamesTheUserOfACase() {
        #expect(report(wrong: 1, newest: 20).text.contains("--user 3 --trace, day 0, device 1: text"))
    }

    @Test func jsonHasTheCounts() throws {
        struct Document: Decodable {
            struct System: Decodable {
                var name: String
                var wrongByDay: [Int]
                var known: [String: Int]
            }
            var knownByDay: [Int]
            var systems: [System]
            var causes: [String: Int]
        }
        let json = Data(report(wrong: 7, newest: 200).json.utf8)
        let document = try JSONDecoder().decode(Document.self, from: json)
        #expect(document.knownByDay == [1000, 0])
        #expect(document.systems.map(\.name) == Report.systems)
        #expect(document.systems[0].known["wrong"] == 7)
        #expect(document.systems[1].wrongByDay == [200, 0])
        #expect(document.causes[Cause.viewOnlyCaptureAfterWork.rawValue] == 7)
    }

    @Test func readsTheCommandLine() {
        let options = SimulationOptions(["--users", "5", "--days", "3", "--seed", "9", "--json", "x.json"])
        #expect(options?.users == 5 && options?.days == 3 && options?.seed == 9 && options?.json == "x.json")
        #expect(SimulationOptions(["--user", "5", "--trace"])?.isTraced == true)
        for wrong in [
            ["--users"], ["--users", "0"], ["--days", "x"], ["--trace"], ["--other", "1"], ["--seed", "-1"],
        ] {
            #expect(SimulationOptions(wrong) == nil)
        }
    }
}
