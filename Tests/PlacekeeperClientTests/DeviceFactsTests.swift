import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// What a device is called, by the facts that each of Apple's systems gives to a process.
struct DeviceFactsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var facts: DeviceFacts
        var idiom: UserInterfaceIdiom
        var model: String?

        init(_ name: String, _ facts: DeviceFacts, _ idiom: UserInterfaceIdiom, _ model: String?) {
            (testDescription, self.facts, self.idiom, self.model) = (name, facts, idiom, model)
        }
    }

    private static func mac(
        _ system: DeviceFacts.System, isiOSAppOnMac: Bool = false, _ families: [Int] = []
    ) -> DeviceFacts {
        DeviceFacts(
            system: system, isiOSAppOnMac: isiOSAppOnMac, machine: "arm64", hardware: "Mac14,2", families: families)
    }

    @Test(arguments: [
        Case(
            "an iPhone", DeviceFacts(system: .iOS, machine: "iPhone16,1", hardware: "D83AP", families: [1, 2]), .phone,
            "iPhone16,1"),
        Case(
            "an iPad", DeviceFacts(system: .iOS, machine: "iPad13,1", hardware: "J307AP", families: [1, 2]), .pad,
            "iPad13,1"),
        Case(
            "an app for iPhones on an iPad", DeviceFacts(system: .iOS, machine: "iPad13,1", families: [1]), .phone,
            "iPad13,1"),
        Case("an iPad without Info.plist", DeviceFacts(system: .iOS, machine: "iPad13,1"), .pad, "iPad13,1"),
        Case(
            "an iPad app on Vision Pro", DeviceFacts(system: .iOS, machine: "RealityDevice14,1", families: [1, 2]),
            .pad,
            "RealityDevice14,1"),
        Case("a Mac", mac(.macOS), .mac, "Mac14,2"),
        Case(
            "a Mac with an Intel processor",
            DeviceFacts(system: .macOS, machine: "x86_64", hardware: "MacBookPro16,1"), .mac, "MacBookPro16,1"),
        Case("an iPad app on a Mac", mac(.iOS, isiOSAppOnMac: true, [1, 2]), .pad, "Mac14,2"),
        Case("an iPhone app on a Mac", mac(.iOS, isiOSAppOnMac: true, [1]), .phone, "Mac14,2"),
        Case("Catalyst", mac(.catalyst, [2]), .pad, "Mac14,2"),
        Case("Catalyst, optimized for the Mac", mac(.catalyst, [2, 6]), .mac, "Mac14,2"),
        Case("a watch", DeviceFacts(system: .watchOS, machine: "Watch6,1"), .watch, "Watch6,1"),
        Case("a television", DeviceFacts(system: .tvOS, machine: "AppleTV11,1"), .tv, "AppleTV11,1"),
        Case(
            "Vision Pro", DeviceFacts(system: .visionOS, machine: "RealityDevice14,1"), .vision, "RealityDevice14,1"),
        Case("Linux", DeviceFacts(system: .linux, machine: "x86_64"), .mac, "x86_64"),
    ])
    func tellsTheKindOfDevice(given: Case) {
        #expect(given.facts.idiom == given.idiom)
        #expect(given.facts.model == given.model)
    }

    @Test func readsTheFactsOfThisProcess() {
        #expect(DeviceFacts.ofThisProcess.machine?.isEmpty == false)
        #expect(RestorationContext.ofThisDevice.idiom == DeviceFacts.ofThisProcess.idiom)
    }
}
