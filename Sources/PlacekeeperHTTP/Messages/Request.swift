/// A complete request: its head, and its body after transfer decoding.
package struct Request: Sendable {
    package var head: RequestHead
    /// The content as received, before any Content-Encoding is decoded.
    package var body: [UInt8]
    /// The address of the peer without its port, such as `127.0.0.1` or `::1`.
    package var peer: String
    /// The note that the responder made when it admitted the body. Nil if there is none.
    package var note: (any Sendable)?
    /// The memory budget to which the body and all other memory of the request are charged until the response.
    package var budget: (any MemoryBudget)?

    package init(
        head: RequestHead, body: [UInt8] = [], peer: String = "127.0.0.1", note: (any Sendable)? = nil,
        budget: (any MemoryBudget)? = nil
    ) {
        self.head = head
        self.body = body
        self.peer = peer
        self.note = note
        self.budget = budget
    }
}
