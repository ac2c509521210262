/// The files below a directory, as a disk has them and as its processes see them.
///
/// A value: it is fed with records in their order, and can say at any moment what a power cut may leave.
struct DiskModel: Sendable {
  /// A change of names, which is done as a whole or not at all.
  struct NameChange: Sendable, Hashable {
    var sequence: UInt64
    /// The file that each name has after it; nil for none.
    var names: [String: Int?]
  }

  /// How a power cut treats what is not synced.
  enum Loss: Sendable, Hashable, CaseIterable {
    /// All of it is lost.
    case everything
    /// Nothing is.
    case nothing
    /// What came after some moment is lost, and one write is torn there.
    case tail
    /// Some writes are lost and others are not, in any order.
    case writes
    /// Some sectors are.
    case sectors
    /// As with sectors, and so are the names of new files, and those of files that were removed are back.
    case names
  }

  private var files: [DiskFile] = []
  /// What processes see.
  private var names: [String: Int] = [:]
  /// What is certainly on the disk.
  private var syncedNames: [String: Int] = [:]
  private var changes: [NameChange] = []
  private var handles: [UInt64: Handle] = [:]

  private enum Handle: Sendable {
    case file(Int)
    case directory(String)
  }

  /// A disk that has nothing of all this yet.
  init() {}

  /// The number of the newest record.
  private(set) var newest: UInt64 = 0

  /// Goes one step further.
  mutating func apply(_ record: DiskRecord) {
    newest = record.sequence
    switch record.change {
    case .open(let name, _) where directories.contains(name): handles[record.sequence] = .directory(name)
    case .open(let name, _):
      let file = names[name] ?? create(name, at: record.sequence)
      handles[record.sequence] = .file(file)
    case .write(let handle, let offset, let data):
      change(handle, .write(offset: offset, data: data), at: record.sequence)
    case .truncate(let handle, let size): change(handle, .truncate(size: size), at: record.sequence)
    case .sync(let handle, let begin): sync(handle, begin)
    case .unlink(let name): rename([name: nil], at: record.sequence)
    case .rename(let name, let target): rename([name: nil, target: names[name]], at: record.sequence)
    case .makeDirectory(let name): directories.insert(name)
    }
  }

  /// Directories are there once they are made: that is waited for, by who makes them.
  private var directories: Set<String> = [""]

  /// How many changes would be lost if all were that can be, but for those of memory that processes share.
  var pendingChanges: Int {
    names.filter { !$0.key.hasSuffix("-shm") }.reduce(changes.count) { $0 + files[$1.value].pending.count }
  }

  /// The files if nothing is lost, by name.
  var current: [String: FileImage] { names.mapValues { files[$0].current } }

  private mutating func create(_ name: String, at sequence: UInt64) -> Int {
    files.append(DiskFile())
    rename([name: files.count - 1], at: sequence)
    return files.count - 1
  }

  private mutating func rename(_ changed: [String: Int?], at sequence: UInt64) {
    for (name, file) in changed { names[name] = file }
    changes.append(NameChange(sequence: sequence, names: changed))
  }

  private mutating func change(_ handle: UInt64, _ change: DiskFile.Pending.Change, at sequence: UInt64) {
    if case .file(let file) = handles[handle] { files[file].change(change, at: sequence) }
  }

  private mutating func sync(_ handle: UInt64, _ begin: UInt64) {
    switch handles[handle] {
    case .file(let file): files[file].sync(begin: begin)
    case .directory(let directory):
      let isSynced = { (change: NameChange) in
        change.sequence <= begin && change.names.keys.allSatisfy { Self.directory(of: $0) == directory }
      }
      for change in changes where isSynced(change) {
        for (name, file) in change.names { syncedNames[name] = file }
      }
      changes.removeAll(where: isSynced)
    case nil: break
    }
  }

  private static func directory(of name: String) -> String {
    name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
  }

  // MARK: After a power cut

  /// What is on the disk after a power cut now.
  ///
  /// - Parameters:
  ///   - loss: How what is not synced is treated.
  ///   - generator: Decides between what may be lost and what is.
  /// - Returns: The files, by name.
  func cut(_ loss: Loss, using generator: inout some RandomNumberGenerator) -> [String: FileImage] {
    var left = loss == .everything ? syncedNames : names
    if loss == .names { left = cutNames(using: &generator) }
    var result: [String: FileImage] = [:]
    for name in left.keys.sorted() {
      guard let file = left[name] else { continue }
      result[name] = cut(files[file], loss, using: &generator)
    }
    return result
  }

  private func cutNames(using generator: inout some RandomNumberGenerator) -> [String: Int] {
    var left = syncedNames
    for change in changes where Bool.random(using: &generator) {
      for (name, file) in change.names { left[name] = file }
    }
    return left
  }

  private func cut(_ file: DiskFile, _ loss: Loss, using generator: inout some RandomNumberGenerator) -> FileImage {
    let count = file.pending.count
    switch loss {
    case .nothing: return file.current
    case .everything: return file.synced
    case .tail:
      let end = Int.random(in: 0...count, using: &generator)
      // The write at the end is torn: of its sectors some are there.
      var seeded = generator
      let image = file.cut(size: { _ in end }) { _, changes in
        changes.last { $0 < end || ($0 == end && Bool.random(using: &seeded)) } ?? 0
      }
      _ = generator.next()
      return image
    case .writes:
      let kept = (0...count).map { _ in Bool.random(using: &generator) }
      let size = Int.random(in: 0...count, using: &generator)
      return file.cut(size: { _ in size }) { _, changes in changes.last { kept[$0] } ?? 0 }
    case .sectors, .names:
      var seeded = generator
      _ = generator.next()
      let size = Bool.random(using: &generator) ? count : Int.random(in: 0...count, using: &generator)
      return file.cut(size: { _ in size }) { _, changes in ([0] + changes).randomElement(using: &seeded) ?? 0 }
    }
  }
}
