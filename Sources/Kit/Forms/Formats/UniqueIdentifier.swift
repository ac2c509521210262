/// UUIDs according to RFC 4122, section 3, in either case and of any version.
enum UniqueIdentifier {
  static func isValid(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    for (index, count) in [8, 4, 4, 4, 12].enumerated() {
      if index > 0, !cursor.skip("-") { return false }
      for _ in 0..<count where cursor.next(of: .hexadecimal) == nil { return false }
    }
    return cursor.isAtEnd
  }
}
