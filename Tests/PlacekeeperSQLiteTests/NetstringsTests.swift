import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

struct NetstringsTests {
    @Test(arguments: [[], [""], ["Home"], ["", "", ""], ["4:Home,", "é😀", "\0", ",:", "10"]])
    func roundTripsTexts(_ texts: [String]) throws {
        let joined = Array(Netstrings.join(texts).utf8)
        #expect(try joined.withUnsafeBytes(Netstrings.split) == texts)
    }

    @Test(arguments: ["4", "4:", "4:Hom,", "4:Home", "4:Home;", "-1:,", "x:,", "99999999999999999999999:a,", "1:ab,"])
    func rejectsDamagedText(_ joined: String) {
        #expect(throws: StoreError.self) { try Array(joined.utf8).withUnsafeBytes(Netstrings.split) }
    }
}
