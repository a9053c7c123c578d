import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A program that sends one request with `URLSession`, for comparison with a program that uses the client. Takes an
/// address.
@main
struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let address = URL(string: CommandLine.arguments[1]) else {
            return print(FileManager.default.currentDirectoryPath)
        }
        let (body, _) = try await URLSession.shared.data(from: address)
        print(String(format: "%d bytes", body.count))
    }
}
