/// Absolute URIs according to RFC 3986, with or without a fragment: `https://example.org/a?b#c`, `mailto:a@example.org`.
enum ResourceIdentifier {
  private static let unreserved = ByteSet.alphanumeric.union(ByteSet("-._~"))
  private static let name = unreserved.union(ByteSet("!$&'()*+,;="))
  private static let userInformation = name.union(ByteSet(":"))
  private static let path = userInformation.union(ByteSet("@/"))
  private static let query = path.union(ByteSet("?"))
  private static let scheme = ByteSet.alphanumeric.union(ByteSet("+-."))

  /// Returns whether a string is a URI, in time linear in its length.
  static func isValid(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    guard cursor.next(of: .letters) != nil else { return false }
    _ = cursor.prefix(of: scheme)
    guard cursor.skip(":") else { return false }
    if cursor.rest.starts(with: "//".utf8) {
      _ = cursor.skip("/")
      _ = cursor.skip("/")
      let end = cursor.rest.firstIndex { ByteSet("/?#").contains($0) } ?? cursor.rest.endIndex
      guard isAuthority(cursor.rest[..<end]) else { return false }
      cursor = ByteCursor(cursor.rest[end...])
    }
    // After an authority, the path is empty or begins with a slash, because the authority ends there. Without one, it
    // does not begin with two slashes, because they would begin an authority.
    guard skip(path, &cursor) else { return false }
    if cursor.skip("?"), !skip(query, &cursor) { return false }
    if cursor.skip("#"), !skip(query, &cursor) { return false }
    return cursor.isAtEnd
  }

  private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
    var host = text
    if let at = text.firstIndex(of: UInt8(ascii: "@")) {
      guard consists(text[..<at], of: userInformation) else { return false }
      host = text[(at + 1)...]
    }
    // A colon in brackets belongs to an address; any other begins the port.
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[colon...].firstIndex(of: UInt8(ascii: "]")) == nil {
      guard host[(colon + 1)...].allSatisfy(ByteSet.digits.contains) else { return false }
      host = host[..<colon]
    }
    guard host.first == UInt8(ascii: "[") else { return consists(host, of: name) }
    guard host.last == UInt8(ascii: "]") else { return false }
    let literal = host.dropFirst().dropLast()
    return InternetAddress.isVersion6(literal) || isFutureAddress(literal)
  }

  /// Returns whether the bytes are an `IPvFuture`: `v1.fe80`.
  private static func isFutureAddress(_ text: ArraySlice<UInt8>) -> Bool {
    var cursor = ByteCursor(text)
    guard cursor.skip("v") || cursor.skip("V"), !cursor.prefix(of: .hexadecimal).isEmpty, cursor.skip(".") else { return false }
    return !cursor.prefix(of: userInformation).isEmpty && cursor.isAtEnd
  }

  private static func consists(_ text: ArraySlice<UInt8>, of characters: ByteSet) -> Bool {
    var cursor = ByteCursor(text)
    return skip(characters, &cursor) && cursor.isAtEnd
  }

  /// Removes the longest prefix of the given characters and percent-encoded bytes.
  ///
  /// - Returns: false if a percent sign is not followed by two hexadecimal digits.
  private static func skip(_ characters: ByteSet, _ cursor: inout ByteCursor) -> Bool {
    while true {
      _ = cursor.prefix(of: characters)
      guard cursor.skip("%") else { return true }
      guard cursor.next(of: .hexadecimal) != nil, cursor.next(of: .hexadecimal) != nil else { return false }
    }
  }
}
