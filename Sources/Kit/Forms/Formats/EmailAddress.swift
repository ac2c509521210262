/// The address of a mailbox according to RFC 5321, section 4.1.2, without internationalized names.
enum EmailAddress {
  private static let atom = ByteSet.alphanumeric.union(ByteSet("!#$%&'*+-/=?^_`{|}~"))
  private static let tag = Array("ipv6:".utf8)

  /// Returns whether a string is a valid address, in time linear in its length.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let local = bytes[..<at]
    let domain = bytes[(at + 1)...]
    guard (1...64).contains(local.count) else { return false }
    return (isDotted(local) || isQuoted(local)) && (HostName.isValid(domain) || isLiteral(domain))
  }

  private static func isDotted(_ local: ArraySlice<UInt8>) -> Bool {
    local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.allSatisfy(atom.contains)
    }
  }

  private static func isQuoted(_ local: ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    guard local.count >= 2, local.first == quote, local.last == quote else { return false }
    var isEscaped = false
    for byte in local.dropFirst().dropLast() {
      guard ByteSet.printable.contains(byte) else { return false }
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

  /// Returns whether the domain is an address in brackets: `[192.0.2.1]`, `[IPv6:2001:db8::1]`. No tag other than
  /// `IPv6` is registered.
  private static func isLiteral(_ domain: ArraySlice<UInt8>) -> Bool {
    guard domain.count >= 2, domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") else { return false }
    let address = domain.dropFirst().dropLast()
    if InternetAddress.isVersion4(address) { return true }
    let isTagged =
      address.count > tag.count
      && zip(address, tag).allSatisfy { byte, expected in
        byte == expected || ByteSet.letters.contains(byte) && byte | 0x20 == expected
      }
    return isTagged && InternetAddress.isVersion6(address.dropFirst(tag.count))
  }
}
