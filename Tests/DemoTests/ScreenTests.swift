import Testing

@testable import placekeeper_demo

struct ScreenTests {
    private let wide = "石畳の坂道を歩いて港まで、それから船で対岸の町へ行きましたとさ"

    private func panel(isSplit: Bool, photo: Bool, title: String) -> Screen.Panel {
        Screen.Panel(
            name: "pad", state: "build 4", isActive: true,
            rows: (0..<Screen.rowCount).map { .init(title: title, id: "p\($0)", isSelected: $0 == 2) }, top: 10,
            count: 28,
            photo: photo ? .init(title: title, id: "p2", zoom: 1.5, seed: 3) : nil, isSplit: isSplit, step: .place,
            reason: title + " " + title + " " + title, offer: title)
    }

    @Test(arguments: [true, false], [true, false])
    func fillsTheTerminalWhateverIsShown(_ isSplit: Bool, _ photo: Bool) {
        for title in ["Tram 28", wide, "", String(repeating: "Tram 28 ", count: 30)] {
            let device = panel(isSplit: isSplit, photo: photo, title: title)
            let screen = Screen(
                title: title, phone: device, pad: device, events: Array(repeating: title, count: 40), footer: title)
            #expect(screen.lines.count == Screen.height)
            #expect(screen.lines.allSatisfy { Text.columns(of: $0) == Screen.width })
        }
    }

    @Test func showsTheSelectedRowWithItsIdentifier() {
        let lines = panel(isSplit: false, photo: false, title: "Tram 28").lines(width: 30)
        #expect(lines.filter { $0.contains("▸ Tram 28") && $0.contains("p2") }.count == 1)
        #expect(lines.contains { $0.contains("○ full  ● place  ○ nothing") })
    }

    @Test func coversTheListWithThePhotoOnAPhone() {
        let phone = panel(isSplit: false, photo: true, title: "Tram 28").lines(width: 30)
        #expect(!phone.contains { $0.contains("▸") })
        #expect(phone.contains { $0.contains("zoom ×1.5") })
        let pad = panel(isSplit: true, photo: true, title: "Tram 28").lines(width: 50)
        #expect(pad.contains { $0.contains("▸ Tram 28") })
        #expect(pad.contains { $0.contains("zoom ×1.5") })
    }

    @Test func showsNoPartOfAnEventWithoutItsBeginning() {
        let device = panel(isSplit: true, photo: false, title: "Tram 28")
        let long = (1...40).map { "word\($0)" }.joined(separator: " ")
        let screen = Screen(title: "", phone: device, pad: device, events: [long, long, long, long], footer: "")
        let begin = screen.lines.firstIndex { $0.contains("The service tells") } ?? 0
        #expect(screen.lines[begin + 1].hasPrefix("· word1 "))
    }
}
