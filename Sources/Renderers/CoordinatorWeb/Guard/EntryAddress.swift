import Platform

/// An address that admits one browser.
public struct EntryAddress: Sendable, Hashable {
  /// The reason why the server issued an address.
  public enum Occasion: String, Sendable, Hashable {
    /// The server has started.
    case start
    /// A browser has used the previous one.
    case use
    /// The previous one has expired.
    case expiry
  }

  /// The address.
  public let address: String
  /// The text of a QR code for the address.
  public let codeText: String
  /// The time for which the address can be used; nil until the server ends.
  public let lifetime: Duration?
  /// The reason why the server issued it.
  public let occasion: Occasion

  /// Creates the address of an entry token.
  init(_ origin: Origin, path: String, _ occasion: Occasion) {
    address = origin.description + path
    codeText = address
    lifetime = nil
    self.occasion = occasion
  }

  /// Creates the address of a code.
  init(_ origin: Origin, _ code: EntryCode, _ occasion: Occasion) {
    address = "\(origin)/\(code.text)"
    // Uppercase letters need less room in a QR code, and neither scheme nor host distinguishes the case.
    codeText = address.bytes.uppercased
    lifetime = Passes.lifetime
    self.occasion = occasion
  }
}
