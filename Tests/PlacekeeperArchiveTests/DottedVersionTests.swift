import PlacekeeperArchive
import Testing

struct DottedVersionTests {
    @Test(arguments: [
        ("1.9", "1.10"), ("1", "1.0.1"), ("0", "0.0.0.1"), ("9", "10"), ("1.2.3", "1.3"), ("", "1"), ("a", "1"),
        ("1.2b9", "1.3"), ("1..9", "1.1"), ("007", "8"), ("-5", "1"), ("99999999999999999999", "100000000000000000000"),
        ("18446744073709551615", "18446744073709551616"), ("1.é", "1.1"),
    ])
    func ordersVersionsByNumber(_ lower: String, _ higher: String) {
        #expect(DottedVersion(lower) < DottedVersion(higher))
        #expect(!(DottedVersion(higher) < DottedVersion(lower)))
        #expect(DottedVersion(lower) != DottedVersion(higher))
    }

    @Test(arguments: [
        ("1.0", "1"), ("1", "1.0.0.0"), ("01.002", "1.2"), ("", "0"), ("0.0", ""), (".", "0"), ("...", ""),
        ("beta", "0"), ("1.2b9", "1.2"), ("1.x", "1"),
    ])
    func treatsEquivalentVersionsAsEqual(_ left: String, _ right: String) {
        #expect(DottedVersion(left) == DottedVersion(right))
        #expect(!(DottedVersion(left) < DottedVersion(right)) && !(DottedVersion(right) < DottedVersion(left)))
    }

    @Test func missingVersionCountsAsZero() {
        #expect(DottedVersion(nil) == DottedVersion("0"))
        #expect(DottedVersion(nil) < DottedVersion("0.1"))
    }

    @Test(arguments: [("18.0", "17.9", true), ("17.9", "17.1", false), ("17", "18", false), ("10", "9.9", true)])
    func comparesFirstComponents(_ left: String, _ right: String, _ isNewer: Bool) {
        #expect(DottedVersion(left).majorIsNewer(than: DottedVersion(right)) == isNewer)
    }

    @Test func comparesOnlyTheStartOfALongText() {
        let endless = String(repeating: "1.", count: 1 << 20)
        #expect(DottedVersion(endless) == DottedVersion(endless + "9"))
        #expect(DottedVersion(String(repeating: "9", count: 1 << 20)) > DottedVersion("1"))
    }

    /// Without a total order, the newest version would depend on the order of the comparisons.
    @Test func definesATotalOrder() {
        let parts = ["", "0", "1", "01", "9", "10", "a", "1b"]
        let all = parts.flatMap { first in parts.map { DottedVersion("\(first).\($0)") } }
        for left in all {
            for right in all {
                #expect([left < right, left == right, right < left].count { $0 } == 1)
                for third in all where left < right && right < third { #expect(left < third) }
            }
        }
    }
}
