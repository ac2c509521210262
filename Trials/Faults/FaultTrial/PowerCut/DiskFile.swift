/// A file on a disk: its synced contents, and the changes since.
struct DiskFile: Sendable, Hashable {
  /// A change that may not be on the disk yet.
  struct Pending: Sendable, Hashable {
    enum Change: Sendable, Hashable {
      case write(offset: Int, data: [UInt8])
      case truncate(size: Int)
    }

    var sequence: UInt64
    var change: Change
  }

  private(set) var synced = FileImage()
  private(set) var pending: [Pending] = []

  mutating func change(_ change: Pending.Change, at sequence: UInt64) {
    pending.append(Pending(sequence: sequence, change: change))
  }

  /// Applies the changes up to a record to the synced contents.
  mutating func sync(begin: UInt64) {
    let count = pending.prefix { $0.sequence <= begin }.count
    for entry in pending[..<count] { synced.apply(entry.change) }
    pending.removeFirst(count)
  }

  /// The contents if no data is lost.
  var current: FileImage { pending.reduce(into: synced) { $0.apply($1.change) } }

  /// Returns the contents after a power cut.
  ///
  /// Each sector has the contents of some moment since it was synced, and the size is one that the file had. Writes are
  /// therefore dropped, reordered and torn.
  ///
  /// - Parameters:
  ///   - size: chooses an index among the given number of sizes that the file had, oldest first.
  ///   - sector: chooses, for the sector with the given number, after which of the given changes it was last written; 0 for
  ///     none.
  /// - Returns: the remaining contents.
  func cut(size: (Int) -> Int, sector: (Int, [Int]) -> Int) -> FileImage {
    var sizes = [synced.bytes.count]
    var touched: [Int: [Int]] = [:]
    for (index, entry) in pending.enumerated() {
      for number in entry.change.sectors(ofSize: sizes.last ?? 0) { touched[number, default: []].append(index + 1) }
      sizes.append(entry.change.size(after: sizes.last ?? 0))
    }
    var image = synced
    image.resize(to: max(sizes.max() ?? 0, image.bytes.count))
    for number in touched.keys.sorted() {
      guard let changes = touched[number] else { continue }
      let last = sector(number, changes)
      for index in changes where index <= last { image.apply(pending[index - 1].change, only: number) }
    }
    image.resize(to: sizes[min(size(sizes.count), sizes.count - 1)])
    return image
  }
}

extension DiskFile.Pending.Change {
  /// Returns the range of sectors that the change affects.
  fileprivate func sectors(ofSize size: Int) -> Range<Int> {
    switch self {
    case .write(let offset, let data):
      data.isEmpty ? 0..<0 : offset / FileImage.sector..<(offset + data.count - 1) / FileImage.sector + 1
    case .truncate(let end): end < size ? end / FileImage.sector..<(size - 1) / FileImage.sector + 1 : 0..<0
    }
  }

  fileprivate func size(after size: Int) -> Int {
    switch self {
    case .write(let offset, let data): max(size, offset + data.count)
    case .truncate(let size): size
    }
  }
}

extension FileImage {
  fileprivate mutating func apply(_ change: DiskFile.Pending.Change) {
    switch change {
    case .write(let offset, let data): write(data[...], at: offset)
    case .truncate(let size): resize(to: size)
    }
  }

  /// Applies the part of a change that affects one sector. The size stays the same.
  fileprivate mutating func apply(_ change: DiskFile.Pending.Change, only number: Int) {
    let (start, end) = (number * Self.sector, (number + 1) * Self.sector)
    switch change {
    case .write(let offset, let data):
      let (from, to) = (max(start, offset), min(end, offset + data.count))
      if from < to { write(data[(from - offset)..<(to - offset)], at: from) }
    case .truncate(let size):
      let (from, to) = (max(start, size), min(end, bytes.count))
      if from < to { write([UInt8](repeating: 0, count: to - from)[...], at: from) }
    }
  }
}
