import CoordinatorKit
import QRCodes

/// An address that admits a phone to the flow.
struct PhoneLink: Sendable, Hashable {
  /// The reason why the server issued the address.
  enum Occasion: String, Sendable, Hashable {
    /// The server has started.
    case start
    /// A browser has used the previous one.
    case use
    /// The previous one has expired.
    case expiry
  }

  /// The address, to be typed.
  let address: String
  /// The QR code for the address; nil if the address is too long for one.
  let code: QRCode?
  /// The SHA-256 fingerprint of the server's certificate.
  let fingerprint: String
  let occasion: Occasion

  /// Decodes a line that `coordinator-web --json` prints; nil if it is not one.
  init?(line: String) {
    guard let value = try? JSONValue(parsing: line.utf8), case .object(let object) = value,
      case .string(let address)? = object["address"], case .string(let code)? = object["code"],
      case .string(let fingerprint)? = object["fingerprint"], case .string(let occasion)? = object["because"],
      let occasion = Occasion(rawValue: occasion)
    else { return nil }
    self.address = address
    self.code = QRCode(code)
    self.fingerprint = fingerprint
    self.occasion = occasion
  }
}
