import Foundation
import PlacekeeperCore
import PlacekeeperService
import Testing

@Suite struct DataSourceTests {
    /// Declarations that were stored earlier do not have the later members.
    @Test func decodesAMissingMemberAsFalse() throws {
        let stored = #"{"scope": "registered", "selectsNeighbors": true}"#
        let decoded = try JSONDecoder().decode(DataSource.self, from: Data(stored.utf8))
        #expect(decoded == DataSource(scope: .registered, selectsNeighbors: true))
    }

    @Test(arguments: DataSource.Scope.allCases)
    func decodesEveryEncodedDeclaration(_ scope: DataSource.Scope) throws {
        for selectsNeighbors in [false, true] {
            for uniqueAliases in [false, true] {
                let source = DataSource(
                    scope: scope, selectsNeighbors: selectsNeighbors, uniqueAliases: uniqueAliases,
                    allowsRedirects: uniqueAliases != selectsNeighbors)
                let stored = try JSONEncoder().encode(source)
                #expect(try JSONDecoder().decode(DataSource.self, from: stored) == source)
            }
        }
    }
}
