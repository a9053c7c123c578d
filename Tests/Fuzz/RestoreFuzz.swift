// Compiled with the runtime and the sample apps by Tests/Fuzz/run.sh; libFuzzer calls it with bytes of its own making.
import SampleApps
import RestorationInterface
import StateRestoration

/// Whatever the bytes are, each app starts: with its state, or as it is by default and the bytes put aside. What it saves
/// then is restored by the next launch.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRestore(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    MainActor.assumeIsolated {
        for app in Sample.allCases.map(\.app) {
            for layout in [DeviceLayout.tabs, .split] {
                for isLate in [false, true] where !live(app, layout, from: bytes, isLate: isLate) { return }
            }
        }
    }
    return 0
}

/// Returns whether the bytes can be read, which is the same for every app.
@MainActor
private func live(_ app: any PlayedApp.Type, _ layout: DeviceLayout, from bytes: [UInt8], isLate: Bool) -> Bool {
    let storage = InMemoryArchiveStorage(archive: bytes)
    func launch() -> (life: RestorableApplication, result: LaunchResult) {
        let items = Catalogue("items", device: "here", titles: (1...14).map { "\(app.itemName) \($0)" })
        let all = items.items
        if isLate { (items.items, items.isLoaded) = ([], false) }
        let made = app.init(items, layout: layout)
        let life = RestorableApplication(
            made, environment: made.environment, storage: storage,
            configuration: .init(device: layout.context(bundleVersion: "\(SampleVersion.current)")) { 800_000_000 })
        let result = life.launch()
        if isLate {
            (items.items, items.isLoaded) = (all, true)
            made.shell.itemsArrived()
        }
        return (life, result)
    }
    let (life, result) = launch()
    switch result {
    case .unreadable:
        guard storage.archive == nil, storage.quarantinedArchive == bytes else { fatalError("Not put aside") }
        return false
    case .restored, .declined, .incompatible, .placeOnly: break
    case .nothingSaved, .locked, .crashedBefore: fatalError("\(result)")
    }
    do {
        guard try life.saveState() != nil else { fatalError("Nothing was saved") }
    } catch {
        fatalError("What was restored cannot be saved: \(error)")
    }
    guard case .restored(let restoration) = launch().result else { fatalError("What was saved is not restored") }
    guard restoration.failed.isEmpty else { fatalError("\(restoration.failed) cannot take back what they saved") }
    return true
}
