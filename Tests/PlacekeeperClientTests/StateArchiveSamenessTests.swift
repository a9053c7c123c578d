import PlacekeeperArchive
import Testing

@testable import PlacekeeperClient

/// A dictionary of objects is encoded in an order that differs between processes.
struct StateArchiveSamenessTests {
    /// Two filters of a photo, each with a range of its own, and the range with a circle.
    private func filters(_ names: [String], strength: Double = 1, className: String = "Range") -> StateArchive {
        var archive = StateArchive()
        var filters: [String: StateValue] = [:]
        for (index, name) in names.enumerated() {
            filters[name] = .object(path: name)
            archive.objects.append(
                RestorableObject(
                    path: name, kind: .object, className: "Filter", state: ["range": .instance(index)]))
            archive.instances.append(
                SavedInstance(
                    className: className,
                    state: [
                        "name": .string(name), "strength": .real(name == "Blur" ? strength : 0),
                        "next": .instance((index + 1) % names.count),
                    ]))
        }
        archive.application = ["filters": .dictionary(filters)]
        return archive
    }

    @Test func orderOfObjectsAndInstancesDoesNotCount() {
        #expect(filters(["Blur", "Sepia"]).shows(sameAs: filters(["Sepia", "Blur"])))
    }

    @Test func changedInstanceCounts() {
        let blurred = filters(["Blur", "Sepia"])
        #expect(!blurred.shows(sameAs: filters(["Sepia", "Blur"], strength: 2)))
        #expect(!blurred.shows(sameAs: filters(["Sepia", "Blur"], className: "Curve")))
        #expect(!blurred.shows(sameAs: filters(["Blur"])))
    }

    /// A client in JavaScript writes 3.0 as 3.
    @Test func wholeNumberIsTheSameAsAFloatingPointNumber() {
        func zoom(_ value: StateValue) -> StateArchive {
            StateArchive(place: Place([.init(screen: "map", parameters: ["zoom": value])]))
        }
        #expect(zoom(.integer(3)).isAtPlace(of: zoom(.real(3))) && zoom(.real(3)).shows(sameAs: zoom(.integer(3))))
        #expect(!zoom(.integer(3)).isAtPlace(of: zoom(.real(3.5))))
    }

    /// One instance is not two.
    @Test func sharedInstanceCounts() {
        var (shared, apart) = (StateArchive(), StateArchive())
        let range = SavedInstance(className: "Range", state: [:])
        (shared.instances, apart.instances) = ([range], [range, range])
        shared.application = ["low": .instance(0), "high": .instance(0)]
        apart.application = ["low": .instance(0), "high": .instance(1)]
        #expect(!shared.shows(sameAs: apart))
        #expect(!apart.shows(sameAs: shared))
        #expect(apart.shows(sameAs: apart))
    }
}
