/// Host names according to RFC 1123, section 2.1, and RFC 952: labels of letters, digits and hyphens.
enum HostName {
  private static let label = ByteSet.alphanumeric.union(ByteSet("-"))

  /// Returns whether the bytes are a host name, without a dot at its end.
  static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    guard (1...253).contains(text.count) else { return false }
    return text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
      (1...63).contains(part.count) && part.first != hyphen && part.last != hyphen && part.allSatisfy(label.contains)
    }
  }
}
