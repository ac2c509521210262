import CFaultPlan

/// What is done to a file.
public enum FileOperation: UInt32, Sendable, Hashable, CaseIterable {
  case open, create, read, write, sync, truncate, allocate, unlink, rename, mkdir, stat

  /// Its name, as a command line says it.
  public var name: String { "\(self)" }
}

/// Which of a journal's files something is done to.
public enum FileKind: UInt32, Sendable, Hashable, CaseIterable {
  case database, wal, shm, journal, lock, reserve, directory, other

  /// Its name, as a command line says it.
  public var name: String { "\(self)" }
}

extension FaultSite: CustomStringConvertible {
  /// As a fault names it, and how often it was come to.
  public var description: String { "\(operation.name)-\(file.name)-\(String(id, radix: 16)) \(count)" }
}

/// A place in the daemon's code from which something is done to a kind of file, and how often it was come to.
public struct FaultSite: Sendable, Hashable {
  /// A hash of the callers: the same in each run of the same program.
  public var id: UInt64
  /// What is done.
  public var operation: FileOperation
  /// To which file.
  public var file: FileKind
  /// How often.
  public var count: UInt32

  /// Puts a site together.
  public init(id: UInt64, operation: FileOperation, file: FileKind, count: UInt32) {
    (self.id, self.operation, self.file, self.count) = (id, operation, file, count)
  }
}
