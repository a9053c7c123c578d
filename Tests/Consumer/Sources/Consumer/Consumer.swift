import AppTests

@main
struct Consumer {
    @MainActor
    static func main() async throws {
        let tests = CarryingTests()
        guard try await tests.carry(), try await tests.launch() else { throw Failure.stateWasNotCarried }
        print("the state was carried")
    }

    enum Failure: Error {
        case stateWasNotCarried
    }
}
