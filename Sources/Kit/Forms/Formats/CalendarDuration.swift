/// Durations according to ISO 8601 with the grammar of RFC 3339, appendix A: `P1Y2M3D`, `P1DT12H`, `PT90M`, `P2W`.
///
/// No unit is omitted between two others, numbers have no fraction, and weeks stand alone.
enum CalendarDuration {
  /// Returns whether a string is a duration, in time linear in its length.
  static func isValid(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    guard cursor.skip("P") else { return false }
    if cursor.peek == UInt8(ascii: "T") { return time(&cursor) && cursor.isAtEnd }
    guard skipNumber(&cursor) else { return false }
    if cursor.skip("W") { return cursor.isAtEnd }
    guard skipUnits(["Y", "M", "D"], &cursor) else { return false }
    return cursor.isAtEnd || (time(&cursor) && cursor.isAtEnd)
  }

  private static func time(_ cursor: inout ByteCursor) -> Bool {
    cursor.skip("T") && skipNumber(&cursor) && skipUnits(["H", "M", "S"], &cursor)
  }

  private static func skipNumber(_ cursor: inout ByteCursor) -> Bool { !cursor.prefix(of: .digits).isEmpty }

  /// Removes the unit of the number before the cursor, and then numbers with the units that follow it without a gap.
  private static func skipUnits(_ units: [Unicode.Scalar], _ cursor: inout ByteCursor) -> Bool {
    guard let first = units.firstIndex(where: { cursor.peek == UInt8(ascii: $0) }) else { return false }
    cursor.skipOne()
    for unit in units[(first + 1)...] {
      guard skipNumber(&cursor) else { return true }
      guard cursor.skip(unit) else { return false }
    }
    return true
  }
}
