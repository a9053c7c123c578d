import PlacekeeperCore
import PlacekeeperCryptography
import PlacekeeperService
import Testing

@testable import placekeeper

/// Compares codes with those of another encoder, the Python package qrcode 8.2, with the same masks. Both encoders follow
/// ISO/IEC 18004.
@Suite struct QRCodeTests {
    static func rows(of code: QRCode) -> String {
        (0..<code.size).map { row in (0..<code.size).map { code[row, $0] ? "#" : "." }.joined() }
            .joined(separator: "\n")
    }

    @Test func encodesALinkCode() throws {
        let expected = """
            #######...#.#.#######
            #.....#.#.#.#.#.....#
            #.###.#.#.##..#.###.#
            #.###.#.....#.#.###.#
            #.###.#.#####.#.###.#
            #.....#.###...#.....#
            #######.#.#.#.#######
            ........#............
            ##.#..##..###.###.##.
            ####.#..####.#.#.###.
            ##..###..#.#..##.#..#
            .#.###....#.####.....
            .#.#.####.##..#..#.##
            ........##...##.##.##
            #######.#..##.###....
            #.....#.......#....#.
            #.###.#.....###...##.
            #.###.#.#.#..##..####
            #.###.#..#.#.######.#
            #.....#.#.###...##...
            #######.###..#.....#.
            """
        #expect(try Self.rows(of: #require(QRCode(Array("7K3M9QXA".utf8)))) == expected)
    }

    /// The greatest and the smallest number of bytes of each version, with the SHA-256 of the rows.
    static let known: [(count: Int, version: Int, digest: String)] = [
        (1, 1, "1a04e7990fcce1a40fdba64e014b6a69d88c799572ce741bd2e2f1e568a4a76c"),
        (17, 1, "155af1d7d5aa98a2ff4f2ce267dd77a4475de44aba2d8b06cd16213986fd2acc"),
        (18, 2, "792b95cb020f8b2dd86e2d92c0a6d186ac19bee2a30ba9b7151823282b761d35"),
        (32, 2, "3ab24af57845d824fb0b402a3cbc7160937645a7f3d82665f2bd9ed37649f645"),
        (33, 3, "84490ec9dc66cb810dba275cc3e8a02f49b3e2a9fe3953080e19b95f4bd75df5"),
        (53, 3, "8d5e54fb98ce0bf37763570746b0a92d5bc06028f8762806df2414924abecbae"),
        (54, 4, "7d0ee9c13dd2632277f57e49dc3f6ce3c58ae6a168eb5b792d866b6eb96a7ed7"),
        (78, 4, "2d607ce8df7bb55858eb56f36d9a6f174ee75f3ddda099bc42b188cebf7f768b"),
        (79, 5, "db8224b642c433ce5b7872ca7676da384cacbdc69f6c82872ab088040204534b"),
        (106, 5, "01d7ec3c9ddd2b0fd6df409aa7acd17f042d0ca2c905f3aa1858dcd97d2f9e17"),
        (107, 6, "ac726f6c69f04e768851d4908b08f05fd5423eed53b030062c8cc14f0e0582a0"),
        (134, 6, "e9473d62be86dc650079677e9f96c3168e7c87d180a5fb4055d059c6bf68ed6a"),
        (135, 7, "a5f09db2bd534ee8c9bd1916403d793e15875055d09f13d4d7202798716a7d82"),
        (154, 7, "9638ebfffe6a6eac107d83e12dcaa26012dda2a58cd4cb5e9adfae114659f14c"),
        (155, 8, "55bf6eef76a43400abd81d518458efef8ee47a1ae640de281d617839529d58dc"),
        (192, 8, "e24d565dcfe4f2cf1d04ffa6fbc3e3a0c89afe7d54257eb6b09097d8bd2e9e08"),
        (193, 9, "e8bb35ffa1f731648a536fb646105d7d0fa2ce2ac7331e23610d41a4992f3f19"),
        (230, 9, "5a3677f46178f2ae0c45a1942cfb0c56d710843fe8c260e2960d926e38c5d644"),
        (231, 10, "4d2a711dd8d66ab09e34ab622aa423e224aa22e7a4ef1585d1690fc83fc80330"),
        (271, 10, "67dff0c58419174cdf346871405416868bb93e16b832a1765623bf70585c6ccc"),
    ]

    @Test(arguments: known)
    func encodesEachVersion(count: Int, version: Int, digest: String) throws {
        let address = "http://192.168.1.20:8080/#key=pk_qPhNIkzMyTBvu1RIe4684w "
        let bytes = Array(String(repeating: address, count: 5).utf8.prefix(count))
        let code = try #require(QRCode(bytes))
        #expect(code.size == 17 + 4 * version)
        let words = Array(Self.rows(of: code).utf8).withUnsafeBytes { SystemHashing().sha256($0) }.words
        let digits = [words.0, words.1, words.2, words.3].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        #expect(digits.joined() == digest)
    }

    @Test func refusesMoreBytesThanVersion10Has() {
        #expect(QRCode(Array(repeating: 0x41, count: 271)) != nil)
        #expect(QRCode(Array(repeating: 0x41, count: 272)) == nil)
    }

    @Test func drawsTwoRowsInALineAndLeavesAMargin() throws {
        let code = try #require(QRCode(Array("7K3M9QXA".utf8)))
        let lines = code.text.split(separator: "\n").map(Array.init)
        #expect(lines.count == 15)
        #expect(lines.allSatisfy { $0.count == 29 })
        let upper: Set<Character> = ["█", "▀"]
        let lower: Set<Character> = ["█", "▄"]
        for row in -4..<25 {
            for column in -4..<25 {
                let isInside = (0..<21).contains(row) && (0..<21).contains(column)
                let isLight = !(isInside && code[row, column])
                let character = lines[(row + 4) / 2][column + 4]
                #expect((row % 2 == 0 ? upper : lower).contains(character) == isLight)
            }
        }
    }
}
