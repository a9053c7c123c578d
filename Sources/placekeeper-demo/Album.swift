import PlacekeeperSampleApps

/// The photos of an album, as each device stores them.
enum Album {
    static let name = "Lisbon"
    private static let titles = [
        "Airport", "First coffee", "Rua Augusta", "Arco da Rua Augusta", "Ferry to Cacilhas", "Christ the King",
        "Sardines", "Elevador da Bica", "Santa Justa Lift", "Bookshop in Chiado", "Café A Brasileira",
        "Azulejos, blue", "Azulejos, green", "Tram 12", "Tram 28", "Stairs in Alfama", "Fado house", "石畳の坂道",
        "Castle of São Jorge", "Peacock", "View from Graça", "Feira da Ladra", "Pastéis de Belém", "Torre de Belém",
        "Monastery", "LX Factory", "Sunset at Tejo", "Night train",
    ]

    /// Returns the photos of a device. The devices use the same identifiers for different photos: `p15` is the
    /// fifteenth photo on the phone, and a different photo on the iPad. A photo's address is its alias, which is the
    /// same on each device.
    @MainActor
    static func photos(on layout: DeviceLayout) -> Catalog {
        let photos = Catalog("photos", titles: titles)
        for index in titles.indices {
            let row = layout == .tabs ? index : (11 * index + 4) % titles.count
            photos.items[index].id = "p\(row + 1)"
            photos.items[index].serverID = "https://photos.example.com/lisbon/\(index + 1)"
        }
        return photos
    }
}
