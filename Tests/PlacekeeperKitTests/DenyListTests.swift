import Testing

@testable import PlacekeeperKit

struct DenyListTests {
    @Test(arguments: [
        "password", "userPassword", "user_password", "PASSWORD", "userPIN", "PINCode", "pin-2", "oneTimeCode",
        "onetimecode", "apiKey", "APIKey", "myCardNumber2", "auth.token", "IBAN",
    ])
    func deniesNameOfSecret(_ name: String) { #expect(DenyList.standard.denies(name)) }

    @Test(arguments: [
        "draft", "shopping", "pinboard", "tokens2words", "card", "number", "keyboard", "apiVersion", "secretary", "",
        "spin",
    ])
    func allowsOtherName(_ name: String) { #expect(!DenyList.standard.denies(name)) }

    @Test(arguments: ["pin", "token", "mapPin", "secretSanta", "pinToken"])
    func allowsDeclaredParameterThatMayBeNoSecret(_ name: String) {
        #expect(DenyList.standard.denies(name))
        #expect(!DenyList.standard.denies(name, isDeclared: true))
    }

    @Test(arguments: ["password", "userPassword", "oneTimeCode", "cardNumber", "iban"])
    func deniesDeclaredSecret(_ name: String) { #expect(DenyList.standard.denies(name, isDeclared: true)) }

    @Test func deniesOnlyItsEntries() {
        #expect(DenyList(["pin"]).denies("pin", isDeclared: true))
        #expect(DenyList(["diary entry"]).denies("myDiaryEntry"))
        #expect(!DenyList(["diary entry"]).denies("password"))
        #expect(!DenyList([""]).denies("draft"))
    }
}
