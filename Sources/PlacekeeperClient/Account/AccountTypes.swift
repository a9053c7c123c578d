public import Foundation

extension Placekeeper {
    /// A code with which another device can join the user of this device.
    public struct LinkCode: Sendable, Equatable {
        /// The code, to be typed on the other device.
        public let code: String
        /// The time at which the code expires.
        public let expirationDate: Date

        package init(_ code: String, expirationDate: Date) { (self.code, self.expirationDate) = (code, expirationDate) }
    }

    /// What happens to unsent states at a sign-out.
    public struct UnsentStates: Sendable, Hashable {
        enum Treatment: Sendable, Hashable {
            case send(deadline: Double)
            case keep
            case discard
        }

        let treatment: Treatment

        /// Sends the states first. If that takes longer, the sign-out fails with `unsentStates`, and the device is still
        /// signed in.
        public static func send(within deadline: Duration) -> Self {
            Self(treatment: .send(deadline: deadline.seconds))
        }
        /// Keeps the states on this device until the same user signs in again, for at most 30 days.
        public static let keep = Self(treatment: .keep)
        /// Deletes the states.
        public static let discard = Self(treatment: .discard)
    }
}
