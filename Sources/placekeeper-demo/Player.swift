/// The interactive demo: keys drive the two devices.
@MainActor
struct Player {
    let stage: Stage
    let terminal: Terminal

    private static let keys =
        "↑ ↓ enter ← photos  tab device  t offer  o offline  c crash  l launch  q quit"

    /// Plays until the user ends the demo.
    func play() async throws {
        stage.title = "two devices of one person"
        stage.footer = Self.keys
        stage.changed = { draw() }
        await stage.phone.launch()
        try await stage.link()
        await stage.pad.launch()
        draw()
        for await key in terminal.keys {
            switch key {
            case .letter("q"): return
            default: await press(key, on: stage.active)
            }
            draw()
        }
    }

    private func draw() { terminal.draw(stage.screen.lines) }

    private func press(_ key: Key, on device: Device) async {
        switch key {
        case .up: device.move(by: -1)
        case .down: device.move(by: 1)
        case .enter, .right: device.enter()
        case .left: device.goBack()
        case .tab:
            stage.active = stage.other
            await device.leave()
        case .letter("t"): await device.takeOffer()
        case .letter("o"):
            device.isOnline.toggle()
            if device.isOnline { await device.leave() }
        case .letter("c"):
            // Alternate between version 5, which crashes, and version 4, which doesn't.
            device.build = device.build.crashes ? .init() : .init(version: 5, crashes: true)
            await device.launch()
        case .letter("l"): await device.launch()
        default: break
        }
    }
}
