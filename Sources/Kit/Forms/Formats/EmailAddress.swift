/// The address of a mailbox according to RFC 5321, without address literals (`user@[192.0.2.1]`) and without
/// internationalized names.
enum EmailAddress {
  /// Returns whether a string is a valid address, in time linear in its length.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let local = bytes[..<at]
    let domain = bytes[(at + 1)...]
    guard (1...64).contains(local.count), (1...253).contains(domain.count) else { return false }
    return (isDotted(local) || isQuoted(local)) && isDomain(domain)
  }

  private static let signs = Set("!#$%&'*+-/=?^_`{|}~".utf8)

  private static func isDotted(_ local: ArraySlice<UInt8>) -> Bool {
    local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || signs.contains($0) }
    }
  }

  private static func isQuoted(_ local: ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    guard local.count >= 2, local.first == quote, local.last == quote else { return false }
    var isEscaped = false
    for byte in local.dropFirst().dropLast() {
      guard (0x20...0x7E).contains(byte) else { return false }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == quote {
        return false
      }
    }
    return !isEscaped
  }

  private static func isDomain(_ domain: ArraySlice<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
        && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
