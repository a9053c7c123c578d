import RestorationService
import Testing

/// What a refusal tells whoever reads it: the limit as it is counted, and what helps.
@Suite struct AdviceTests {
    @Test func tellsOverHowManyOthersARedirectMayLead() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p0"), on: bench.phone)
        for number in 1...Limits.redirects {
            // The last leads over 31 others, to one that is there.
            try await bench.redirect("p\(number)", to: "p\(number - 1)", on: bench.phone)
        }
        let refused = await #expect(throws: ServiceError.self) {
            try await bench.redirect("p33", to: "p32", on: bench.phone)
        }
        #expect(refused?.code == .redirectLoops)
        #expect(refused?.message == "The redirect leads back to itself, or over more than 31 others.")
    }
}
