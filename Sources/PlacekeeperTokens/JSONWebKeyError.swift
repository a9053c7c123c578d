/// The reason why a key or a set of keys is rejected. The message is a clause about the set, such as `it is not valid
/// JSON`. It never quotes the document, which may contain secrets.
package struct JSONWebKeyError: Error, Sendable, Hashable {
    package var message: String
    package init(_ message: String) { self.message = message }
}
