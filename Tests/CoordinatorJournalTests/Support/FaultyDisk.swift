import FaultyDisk
import Glibc

/// A planned fault of the disk below a directory, which ends with this object at the latest.
final class DiskFault {
  enum Operation {
    case read, write, sync
    /// Opening a file for writing. If that fails, SQLite silently opens it for reading.
    case openToWrite
  }

  private let plan: Int32

  /// Plans a fault.
  ///
  /// - Parameters:
  ///   - prefix: prefix of the paths of the affected files.
  ///   - operation: operation that fails.
  ///   - skip: number of operations that succeed before the fault.
  ///   - times: number of operations that fail; nil for all.
  ///   - number: error number that the system reports.
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

  /// The number of operations that have failed.
  var count: Int { Int(faulty_disk_faults(plan)) }

  /// Makes every database that is opened from now on use a disk that can fail.
  static func install() { faulty_disk_install() }
}
