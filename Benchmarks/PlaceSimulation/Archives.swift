import PlacekeeperTesting
import PlacekeeperArchive
import PlacekeeperRuntime

extension Model {
    var idiom: VirtualDevice.Idiom {
        switch self {
        case .phone: .phone
        case .pad: .pad
        case .mac: .mac
        }
    }

    var layout: ArchiveLayout { self == .phone ? .compact : .regular }
}

extension StateArchive {
    /// The state of the app on a device.
    init(_ seating: Household.Seating) {
        self.init(
            bundleVersion: seating.release.text, idiom: seating.plan.model.idiom.userInterfaceIdiom.rawValue,
            stateVersion: seating.release.stateVersion, layout: seating.plan.model.layout,
            application: ["scroll": .integer(Int64(seating.shown.scroll))])
        var home = Place([.init(screen: "books", title: "Books")])
        if let spot = seating.shown.spot {
            let titles = seating.shown.titles
            home.steps = [
                .init(
                    screen: "book", title: titles[0], parameters: ["book": .integer(Int64(spot.book))],
                    progress: seating.tellsProgress ? spot.progress : nil),
                .init(screen: "page", title: titles[1], parameters: ["page": .integer(Int64(spot.page))]),
            ]
        }
        place = home
    }

    var screen: Screen {
        var screen = Screen(titles: place?.steps.map { $0.title ?? $0.screen } ?? [])
        if case .integer(let scroll) = application["scroll"] { screen.scroll = Int(scroll) }
        return screen
    }
}

extension Screen {
    init(titles: [String]) {
        let numbers = titles.compactMap { Int($0) }
        self.init(spot: numbers.count == 2 ? Spot(book: numbers[0], page: numbers[1]) : nil)
    }

    var titles: [String] { spot.map { ["\($0.book)", "\($0.page)"] } ?? ["Books"] }
}
