import Foundation
import PlacekeeperAPI
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// The bodies as the service reads and writes them.
private typealias Wire = PlacekeeperAPI.Wire

/// The first update of a list declares the list's data source.
@MainActor
struct ListDeclarationTests {
    @Test(arguments: [false, true], [[], ["server"], ["server", "isbn"]])
    func declaresTheListAsItsDataSourceSays(_ selectsNeighbors: Bool, _ uniqueAliases: [String]) async throws {
        let service = try await TestService()
        let list = DeclaredList(selectsNeighbors: selectsNeighbors, uniqueAliases: uniqueAliases)
        let device = service.device(.phone)
        device.placekeeper.list(of: list).update(from: list)
        try await device.placekeeper.flush()
        // A declaration is the app's, so each device of the app reads it.
        let other = SimulatedDevice(service, .phone, seed: 1)
        await other.saveAndFlush("Lisbon")
        let token = try #require(other.registration?.token)
        let response = try await service.answer(
            TransportRequest(
                "GET", "/v1/data-sources/photos", fields: [.init("Authorization", "Bearer " + token)]))
        let declared = try JSONDecoder().decode(Wire.DataSource.self, from: Data(response.body))
        #expect(declared.scope == .registered)
        #expect(declared.selectsNeighbors == selectsNeighbors)
        #expect(declared.uniqueAliases == uniqueAliases.sorted())
    }
}

@MainActor
private final class DeclaredList: ModelAssociation {
    let dataSourceName = "photos"
    let selectsNeighbors: Bool
    let uniqueAliases: [String]

    init(selectsNeighbors: Bool, uniqueAliases: [String]) {
        self.selectsNeighbors = selectsNeighbors
        self.uniqueAliases = uniqueAliases
    }

    let listElements = [ListElement("p1")]
}
