/// What a process has done to a file or to a name, in the order in which it was done.
public struct DiskRecord: Sendable, Hashable {
  /// What it is.
  public enum Change: Sendable, Hashable {
    /// A file was opened, or a directory; it is new if there was none of that name.
    case open(name: String, isNew: Bool)
    /// Of the file that was opened by the record of that number.
    case write(handle: UInt64, offset: Int, data: [UInt8])
    case truncate(handle: UInt64, size: Int)
    /// What is older than the record `begin` is on the disk.
    case sync(handle: UInt64, begin: UInt64)
    case unlink(name: String)
    case rename(name: String, to: String)
    case makeDirectory(name: String)
  }

  /// Records are numbered from 1 on.
  public var sequence: UInt64
  /// What was done.
  public var change: Change

  /// Puts a record together.
  public init(_ sequence: UInt64, _ change: Change) { (self.sequence, self.change) = (sequence, change) }
}
