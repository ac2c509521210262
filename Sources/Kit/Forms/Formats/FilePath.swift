/// Absolute paths of files on Linux, without control characters.
enum FilePath {
  /// The maximum length in bytes: PATH_MAX, without the NUL.
  static let maximumLength = 4095
  /// The maximum length of a component in bytes: NAME_MAX.
  private static let maximumComponent = 255

  /// Returns whether a string begins with a slash and could be opened as the name of a file. The file need not exist,
  /// and the path may contain `..`.
  static func isValid(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.first == UInt8(ascii: "/"), bytes.count <= maximumLength else { return false }
    return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && bytes.split(separator: UInt8(ascii: "/")).allSatisfy { $0.count <= maximumComponent }
  }
}
