import CFaultPlan

/// The contents of a file.
struct FileImage: Sendable, Hashable {
  /// The number of bytes that a disk writes atomically.
  static let sector = 512

  var bytes: [UInt8] = []

  /// Writes data at an offset, which may lie beyond the end; the gap is filled with zeros.
  mutating func write(_ data: ArraySlice<UInt8>, at offset: Int) {
    if offset + data.count > bytes.count { resize(to: offset + data.count) }
    // Copies the bytes as a block, because copying element by element is slow in a debug build.
    bytes.withUnsafeMutableBytes { target in
      data.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        memcpy(to + offset, from, source.count)
      }
    }
  }

  /// Truncates the contents or extends them with zeros.
  mutating func resize(to size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
  }
}
