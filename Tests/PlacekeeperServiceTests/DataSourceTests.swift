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

    /// In 0.1.0, the promise of unique aliases named no kinds.
    @Test(arguments: ["false", "true", "null", "1", #""isbn""#, "{}", "[1]", #"["isbn", null]"#])
    func decodesAnyOtherFormOfUniqueAliasesAsNoPromise(_ value: String) throws {
        let stored = #"{"scope": "registered", "selectsNeighbors": true, "uniqueAliases": \#(value)}"#
        let decoded = try JSONDecoder().decode(DataSource.self, from: Data(stored.utf8))
        #expect(decoded == DataSource(scope: .registered, selectsNeighbors: true))
    }

    @Test func ignoresTheOrderAndDuplicatesOfUniqueKinds() {
        let source = DataSource(scope: .registered, uniqueAliases: ["server", "isbn", "server"])
        #expect(source == DataSource(scope: .registered, uniqueAliases: ["isbn", "server"]))
        #expect(source.uniqueAliases == ["isbn", "server"])
    }

    @Test(arguments: DataSource.Scope.allCases)
    func decodesEveryEncodedDeclaration(_ scope: DataSource.Scope) throws {
        for selectsNeighbors in [false, true] {
            for uniqueAliases in [[], ["isbn"], ["server", "isbn"]] {
                let source = DataSource(
                    scope: scope, selectsNeighbors: selectsNeighbors, uniqueAliases: uniqueAliases,
                    allowsRedirects: uniqueAliases.isEmpty != selectsNeighbors)
                let stored = try JSONEncoder().encode(source)
                #expect(try JSONDecoder().decode(DataSource.self, from: stored) == source)
            }
        }
    }
}
