import CQRCode

/// A QR code: a square of dark and light modules that encodes a text.
///
/// A reader needs a light margin around it, of four modules if there is room.
public struct QRCode: Sendable, Hashable {
  /// The number of rows, and of columns.
  public let size: Int
  /// Whether each module is dark, row by row.
  private let modules: [Bool]

  /// Encodes a text in the smallest code that can contain it. The result is nil if the text is empty, contains NUL, or exceeds
  /// the capacity of a code, about 2 900 bytes; and if libqrencode is not installed.
  ///
  /// - Parameter text: text, which is encoded as UTF-8.
  public init?(_ text: String) {
    // A NUL would end the C string, and the code would contain another text.
    guard !text.isEmpty, !text.utf8.contains(0), cqrcode_load() == nil else { return nil }
    guard let modules = Self.modules(of: text, QR_ECLEVEL_M) ?? Self.modules(of: text, QR_ECLEVEL_L) else { return nil }
    self.modules = modules.dark
    size = modules.size
  }

  /// Whether a module is dark. Outside the code, all modules are light.
  ///
  /// - Parameters:
  ///   - row: row, from 0 at the top.
  ///   - column: column, from 0 at the left.
  public subscript(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return modules[row * size + column]
  }

  private static func modules(of text: String, _ level: QRecLevel) -> (dark: [Bool], size: Int)? {
    // Version 0 selects the smallest one that fits; 1 distinguishes the case of letters.
    guard let code = QRcode_encodeString(text, 0, level, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    guard size > 0, let data = code.pointee.data else { return nil }
    return ((0..<size * size).map { data[$0] & 1 == 1 }, size)
  }
}

extension QRCode {
  /// Returns the code as rows of half blocks, each of which stands for two rows of modules, for light characters on a
  /// dark background.
  ///
  /// - Parameter margin: width of the light margin, in modules.
  /// - Returns: the rows, of `size + 2 * margin` characters each.
  public func halfBlocks(margin: Int) -> [String] {
    let range = -margin..<size + margin
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      range.map { column -> String in
        let isUpperLight = !self[row, column]
        // Nothing is drawn below the last row, not even margin.
        let isLowerLight = row + 1 < range.upperBound && !self[row + 1, column]
        return switch (isUpperLight, isLowerLight) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
    }
  }
}
