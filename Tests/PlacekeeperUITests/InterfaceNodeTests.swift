import PlacekeeperArchive
import PlacekeeperUI
import Testing

struct InterfaceNodeTests {
    @Test func capturesObjectsWithTheirPaths() {
        let scroll = InterfaceNode(.view, "scroll", className: "Scroll", values: ["contentOffset": .real(4)])
        let plain = InterfaceNode(.view, nil, className: "View", children: [scroll])
        let root = InterfaceNode(.viewController, "root", className: "Root", children: [plain])
        #expect(root.objects().map(\.path) == ["root", "root/scroll"])
        #expect(root.objects().map(\.kind) == [.viewController, .view])
        #expect(root.objects().last?.state == ["contentOffset": .real(4)])
    }

    @Test func leavesOutControllerWithoutIdentifierAndItsContent() {
        let child = InterfaceNode(.viewController, "child", className: "Child")
        let middle = InterfaceNode(.viewController, nil, className: "Middle", children: [child])
        let root = InterfaceNode(.viewController, "root", className: "Root", children: [middle])
        #expect(root.objects().map(\.path) == ["root"])
    }

    @Test func leavesOutSecondObjectWithOnePath() {
        let field = InterfaceNode(.view, "field", className: "A")
        let root = InterfaceNode(.viewController, "root", className: "Root", children: [field, field])
        #expect(root.objects().count == 2)
    }

    @Test func capturesTextUnderEditing() {
        #expect(state(of: "note", .init("sea", isSecure: false, isEditing: true)) == ["text": .string("sea")])
    }

    @Test(arguments: [
        ("note", InterfaceNode.Text("sea", isSecure: true, isEditing: true)),
        ("note", InterfaceNode.Text("sea", isSecure: false, isEditing: false)),
        ("passwordField", InterfaceNode.Text("sea", isSecure: false, isEditing: true)),
    ])
    func neverCapturesOtherText(_ name: String, _ text: InterfaceNode.Text) {
        #expect(state(of: name, text) == [:])
    }

    private func state(of name: String, _ text: InterfaceNode.Text) -> [String: StateValue]? {
        let field = InterfaceNode(.view, name, className: "UITextField", text: text)
        return InterfaceNode(.viewController, "root", className: "Root", children: [field]).objects().last?.state
    }
}
