/// Splits files of other programs into lines.
enum ForeignLines {
  /// Returns the lines of a text, which LF or CR LF ends.
  static func split(_ text: String) -> [String] {
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(Substring(line.last == 0x0D ? line.dropLast() : line))
    }
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
