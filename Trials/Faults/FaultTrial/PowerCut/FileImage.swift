import CFaultPlan

/// What is in a file, or would be.
struct FileImage: Sendable, Hashable {
  /// A disk writes so much at once, or nothing of it.
  static let sector = 512

  var bytes: [UInt8] = []

  /// Writes, as far beyond the end as it may be; what is in between is zero.
  mutating func write(_ data: ArraySlice<UInt8>, at offset: Int) {
    if offset + data.count > bytes.count { resize(to: offset + data.count) }
    // Not element by element, which takes its time in a debug build.
    bytes.withUnsafeMutableBytes { target in
      data.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        memcpy(to + offset, from, source.count)
      }
    }
  }

  /// Cuts it, or makes it longer by zeros.
  mutating func resize(to size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
  }
}
