/// A whole request: its head, and its body with every transfer coding undone.
package struct Request: Sendable {
    package var head: RequestHead
    /// The content as received, any Content-Encoding still on.
    package var body: [UInt8]
    /// Where it came from: an address without the port, such as `127.0.0.1` or `::1`.
    package var peer: String
    /// The time that the responder gave when it admitted the body, which may have taken long to come.
    package var admittedAt: Int64?
    /// The budget that counts the body, and all other memory of the request, until it is answered.
    package var budget: (any MemoryBudget)?

    package init(
        head: RequestHead, body: [UInt8] = [], peer: String = "127.0.0.1", admittedAt: Int64? = nil,
        budget: (any MemoryBudget)? = nil
    ) {
        self.head = head
        self.body = body
        self.peer = peer
        self.admittedAt = admittedAt
        self.budget = budget
    }
}
