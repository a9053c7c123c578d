import CryptoKit
import Foundation

extension AESGCM {
    /// Seals or opens `input`, and returns the output. Nil if the cipher fails, for example because the tag is wrong
    /// when `input` is opened.
    static func transform(
        _ direction: Direction, _ input: [UInt8], key: [UInt8], nonce: [UInt8], additional: [UInt8],
        tag: inout [UInt8]
    ) -> [UInt8]? {
        let key = SymmetricKey(data: key)
        guard let nonce = try? AES.GCM.Nonce(data: nonce) else { return nil }
        switch direction {
        case .seal:
            guard let box = try? AES.GCM.seal(input, using: key, nonce: nonce, authenticating: additional) else {
                return nil
            }
            tag = Array(box.tag)
            return Array(box.ciphertext)
        case .open:
            guard let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: input, tag: tag),
                let plaintext = try? AES.GCM.open(box, using: key, authenticating: additional)
            else { return nil }
            return Array(plaintext)
        }
    }
}
