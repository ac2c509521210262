import FaultyDisk
import Glibc

/// A fault of the disk below a directory, which ends with the value, or before.
final class DiskFault {
  enum Operation {
    case read, write, sync
    /// To open a file for writing: SQLite opens it for reading instead, and says nothing.
    case openToWrite
  }

  private let plan: Int32

  /// Plans a fault.
  ///
  /// - Parameters:
  ///   - prefix: what the paths of the files begin with.
  ///   - operation: what fails.
  ///   - skip: how many of those are done before.
  ///   - times: how many fail; nil for all.
  ///   - number: what the system says.
  init(_ prefix: String, _ operation: Operation, skip: Int32 = 0, times: Int32? = nil, number: Int32 = EIO) {
    let (kind, detail): (faulty_disk_operation, Int32) =
      switch operation {
      case .read: (FAULTY_DISK_READ, 1)
      case .write: (FAULTY_DISK_WRITE, 3)
      case .sync: (FAULTY_DISK_SYNC, 4)
      case .openToWrite: (FAULTY_DISK_OPEN, 14)
      }
    let full: Int32 = 13
    let ioError: Int32 = 10
    let code = operation == .write && number == ENOSPC ? full : ioError | (detail << 8)
    plan = faulty_disk_plan(prefix, kind, skip, times ?? -1, code, number)
  }

  deinit { faulty_disk_clear(plan) }

  /// How often it has happened.
  var count: Int { Int(faulty_disk_faults(plan)) }

  /// Has every database that is opened from now on be on a disk that can fail.
  static func install() { faulty_disk_install() }
}
