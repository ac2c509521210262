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
