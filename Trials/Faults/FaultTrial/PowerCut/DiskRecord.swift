/// A change that a process made to a file or a name.
public struct DiskRecord: Sendable, Hashable {
  /// The kind of change.
  public enum Change: Sendable, Hashable {
    /// A file or a directory was opened; it is new if the name did not exist.
    case open(name: String, isNew: Bool)
    /// Data was written to the file that the record with the number `handle` opened.
    case write(handle: UInt64, offset: Int, data: [UInt8])
    case truncate(handle: UInt64, size: Int)
    /// Every change up to the record with the number `begin` is on the disk.
    case sync(handle: UInt64, begin: UInt64)
    case unlink(name: String)
    case rename(name: String, to: String)
    case makeDirectory(name: String)
  }

  /// The number of the record. Records are numbered from 1 in the order in which they happened.
  public var sequence: UInt64
  /// The change.
  public var change: Change

  /// Creates a record.
  public init(_ sequence: UInt64, _ change: Change) { (self.sequence, self.change) = (sequence, change) }
}
