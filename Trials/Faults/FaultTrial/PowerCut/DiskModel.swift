/// The files below a directory, as a disk stores them and as processes see them.
///
/// A value type. It applies records in their order, and at any moment can return the contents that a power cut may leave.
struct DiskModel: Sendable {
  /// An atomic change of names.
  struct NameChange: Sendable, Hashable {
    var sequence: UInt64
    /// The file that each name refers to afterwards; nil for none.
    var names: [String: Int?]
  }

  /// The way in which a power cut treats data that is not synced.
  enum Loss: Sendable, Hashable, CaseIterable {
    /// All of it is lost.
    case everything
    /// None of it is lost.
    case nothing
    /// All data after some moment is lost, and a write at that moment is torn.
    case tail
    /// Some writes are lost and others are not, in any order.
    case writes
    /// Some sectors are lost and others are not.
    case sectors
    /// As `sectors`, and in addition the names of new files may be lost, and those of removed files may reappear.
    case names
  }

  private var files: [DiskFile] = []
  /// The names as processes see them.
  private var names: [String: Int] = [:]
  /// The names that are certainly on the disk.
  private var syncedNames: [String: Int] = [:]
  private var changes: [NameChange] = []
  private var handles: [UInt64: Handle] = [:]

  private enum Handle: Sendable {
    case file(Int)
    case directory(String)
  }

  /// Creates an empty disk.
  init() {}

  /// The number of the newest record.
  private(set) var newest: UInt64 = 0

  /// Applies the next record.
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

  /// The directories. They count as durable once they are created, because the process that creates them syncs them.
  private var directories: Set<String> = [""]

  /// The number of changes that a power cut can lose, except those to shared memory.
  var pendingChanges: Int {
    names.filter { !$0.key.hasSuffix("-shm") }.reduce(changes.count) { $0 + files[$1.value].pending.count }
  }

  /// The files by name if no data is lost.
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

  // MARK: Power cuts

  /// Returns the contents of the disk after a power cut at this moment.
  ///
  /// - Parameters:
  ///   - loss: how the cut treats data that is not synced.
  ///   - generator: the source of randomness.
  /// - Returns: the files by name.
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
      // The last write is torn: only some of its sectors are on the disk.
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
