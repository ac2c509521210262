/// A file as a disk has it: what is certainly on it, and what was done since.
struct DiskFile: Sendable, Hashable {
  /// What was done to it and may not be on the disk.
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

  /// What was done until then is on the disk.
  mutating func sync(begin: UInt64) {
    let count = pending.prefix { $0.sequence <= begin }.count
    for entry in pending[..<count] { synced.apply(entry.change) }
    pending.removeFirst(count)
  }

  /// The file if nothing is lost.
  var current: FileImage { pending.reduce(into: synced) { $0.apply($1.change) } }

  /// The file after a power cut.
  ///
  /// Each sector has what it had at some moment since it was synced, and the size is one that it had: so writes are dropped, reordered
  /// and torn.
  ///
  /// - Parameters:
  ///   - size: Chooses one of the sizes that it had, oldest first.
  ///   - sector: Chooses, for the sector of that number, after how many of these changes it was written last.
  /// - Returns: What is left of it.
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
  /// Which sectors it changes.
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

  /// Does what a change does to one sector. The size stays.
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
