import CFaultPlan

/// An operation on a file or a name.
public enum FileOperation: UInt32, Sendable, Hashable, CaseIterable {
  case open, create, read, write, sync, truncate, allocate, unlink, rename, mkdir, stat

  /// The name of the operation, as used on the command line.
  public var name: String { "\(self)" }
}

/// The kind of a journal's file.
public enum FileKind: UInt32, Sendable, Hashable, CaseIterable {
  case database, wal, shm, journal, lock, reserve, directory, other

  /// The name of the kind, as used on the command line.
  public var name: String { "\(self)" }
}

extension FaultSite: CustomStringConvertible {
  /// The site as it appears in a fault's description, and its number of operations.
  public var description: String { "\(operation.name)-\(file.name)-\(String(id, radix: 16)) \(count)" }
}

/// A place in the daemon's code that performs an operation on a kind of file, and how often it did.
public struct FaultSite: Sendable, Hashable {
  /// A hash of the call stack, which is the same in each run of the same program.
  public var id: UInt64
  /// The operation.
  public var operation: FileOperation
  /// The kind of file.
  public var file: FileKind
  /// The number of operations.
  public var count: UInt32

  /// Creates a site.
  public init(id: UInt64, operation: FileOperation, file: FileKind, count: UInt32) {
    (self.id, self.operation, self.file, self.count) = (id, operation, file, count)
  }
}
