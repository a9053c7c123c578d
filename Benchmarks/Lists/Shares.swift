/// The shares by which the simulation generates people, devices and lists. They are frozen: a change of the service
/// never changes them (docs/identity-measured.md gives the reasons).
enum Shares {
    // Evidence. Half of the missing aliases are missing on every device, because the evidence does not exist. The other
    // half are missing on single devices, because a device has not received or computed them yet.

    /// The share of photos that a server knows, and the share of these photos whose server id a device has: 95 %
    /// together.
    static let server = (exists: 0.975, known: 0.975)
    /// The share of photos with a hash of the content, and the share of these photos whose hash a device has computed:
    /// 60 % together.
    static let hash = (exists: 0.775, known: 0.775)
    /// The share of photos that are copies of another photo. A copy has the hash of the original.
    static let copies = 0.005
    /// The share of copies that lie beside their original. The others are anywhere, for example imported again.
    static let copiesBeside = 0.8
    /// The share of copies with a server id. It differs from the original's.
    static let copiesOnServer = 0.5
    /// The share of photos in bursts of three to five. A burst is one asset of the server, so its photos have one
    /// server id.
    static let bursts = 0.005

    /// The share of tracks that have the same title and artist as a track of another album: best-of albums, live
    /// albums and samplers. Tracks have no recording code (ISRC), because files that people copied from their own discs
    /// have none.
    static let sharedKeys = 0.23
    /// The share of best-of albums with tracks of several artists.
    static let samplers = 0.3
    /// The share of a device's tracks whose title the person edited on this device alone.
    static let editedTitles = 0.01

    static let booksWithoutISBN = 0.1
    /// The share of books that have another edition's ISBN on one of the devices.
    static let otherEditions = 0.05
    /// The share of books that are volumes of a set of two to five with one ISBN for all volumes.
    static let volumes = 0.03

    // Metadata, in the second set.

    /// The share of albums whose tracks have no album and no number, and of albums whose tracks have no number.
    static let untaggedAlbums = 0.01
    static let albumsWithoutNumbers = 0.02
    /// The share of a device's albums whose name the person edited on this device alone.
    static let editedAlbums = 0.005
    /// The share of the volumes of a set with a volume number. The other volumes have the set's title alone.
    static let numberedVolumes = 0.9
    /// The share of books that are another edition of the book before them, with its title and author.
    static let editionsOwned = 0.01
    /// The share of a device's books with another spelling of the title or author.
    static let spelledDifferently = 0.02
    /// The share of photos with a time of capture, and of these times with a fraction of a second.
    static let dated = 0.97
    static let fractions = 0.85
    /// The share of a device's photos that were cropped on this device alone.
    static let cropped = 0.01

    // Devices.

    /// The shares of people with two, three and four devices. The others have five.
    static let devices = [0.35, 0.35, 0.2]
    /// The share of the things that a device lacks at first. A third of them arrive during the simulation, a third are
    /// whole sections, and a third are single things.
    static let missing = 0.07...0.2
    /// The share of devices with the true order, and of devices with small differences, as another system's collation
    /// makes them. The others have an order of their own: half of them have other sections first (photos: the newest
    /// first), and half of them sort by another field.
    static let orders = [0.6, 0.3]
    /// The share of things that lie one to five places away from their true place, in an order with differences.
    static let displaced = 0.03
    /// The share of apps with Core Data URIs, and of apps with row numbers. The others have random identifiers.
    static let identifiers = [0.4, 0.4]
    /// The share of row-number apps that give the smallest free number to a new row. The others give the number after
    /// the greatest, which also reuses the number of a removed last row.
    static let smallestFree = 0.3

    // Registration.

    /// The share of apps whose devices all register their whole lists, and of apps of which only some devices do. The
    /// others register only the items that their archives refer to, with neighbors.
    static let registrations = [0.5, 0.25]
    /// The share of devices that register for the first time only after the first archives.
    static let late = 0.2
    /// The share of apps without aliases in archives, among the apps whose devices all register their whole lists. The
    /// other apps need aliases in archives (docs/identity.md), because the runtime finds unregistered items by them.
    static let bareArchives = 0.25

    // Changes of a device between two rounds of archives.

    /// The share of the awaited things that arrive.
    static let arrivals = 0.3
    /// The greatest share of rows that are removed.
    static let removals = 0.02
    /// The share of devices on which an update of the app renames all identifiers, and the share of these updates that
    /// send redirects.
    static let migrations = (happens: 0.05, redirects: 0.4)
    /// The share of devices on which records are replaced by other records of the same things, with redirects: 1 % of
    /// the rows, and copies that are merged.
    static let replacements = 0.2

    // Archives.

    /// The shares of selections of one item, and of two to five. The others have six to twenty.
    static let selections = [0.6, 0.25]
    /// The share of selections that are one run of rows.
    static let runs = 0.5
    /// The share of archives that are served at once. The others are served after the last changes.
    static let servedAtOnce = 0.5
    /// The share of archives that are also served to their own device, after the last changes.
    static let servedToOwn = 0.15
}
