import CFaultPlan
import Glibc

/// The plan that the trial shares with the library in the daemon: a file that both processes map.
///
/// `@unchecked Sendable`, because the pointer never changes and both processes access the memory behind it atomically.
final class SharedPlan: @unchecked Sendable {
  /// The error for a file that cannot be created.
  struct Unusable: Error {
    let path: String
    let reason: String
  }

  /// The path of the file.
  let path: String
  private let plan: UnsafeMutablePointer<fault_plan>
  private let isLasting: Bool

  /// Creates and maps the file.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - prefix: the directory whose files count, including everything below it.
  ///   - fault: the fault to inject; nil for none.
  ///   - skippingSync: whether syncs return without waiting for the disk.
  /// - Throws: ``Unusable``.
  init(_ path: String, below prefix: String, fault: Fault? = nil, skippingSync: Bool) throws(Unusable) {
    let size = fault_plan_size()
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Unusable(path: path, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    guard ftruncate(file, off_t(size)) == 0, prefix.utf8.count < FAULT_PREFIX,
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
    else { throw Unusable(path: path, reason: String(cString: strerror(errno))) }
    self.path = path
    plan = memory.bindMemory(to: fault_plan.self, capacity: 1)
    isLasting = fault?.lasts ?? false
    fault_plan_begin(plan, prefix, skippingSync ? 1 : 0)
    guard let fault else { return }
    let effect = fault.kind == .short ? FAULT_SHORT : FAULT_FAIL
    fault_plan_set(
      plan, fault.site, fault.operation.rawValue, fault.occurrence, UInt32(effect.rawValue), fault.error, fault.lasts ? 1 : 0,
      fault.scope.reduce(0) { $0 | 1 << $1.rawValue })
  }

  deinit { munmap(plan, fault_plan_size()) }

  /// The number of operations that have failed.
  var hits: UInt32 { fault_plan_hits(plan) }

  /// The number of operations so far.
  var operations: UInt32 { fault_plan_operations(plan) }

  /// The sequence number of the newest record.
  var sequence: UInt64 { fault_plan_sequence(plan) }

  /// Clears the fault.
  func clear() { fault_plan_clear(plan) }

  /// The places in the code that have operated on files. Read it only while no operation is in progress.
  var sites: [FaultSite] {
    guard let table = fault_plan_sites(plan) else { return [] }
    return (0..<Int(FAULT_SITES)).compactMap { index in
      let site = table[index]
      guard site.count > 0, let operation = FileOperation(rawValue: site.operation), let file = FileKind(rawValue: site.file)
      else { return nil }
      return FaultSite(id: site.site, operation: operation, file: file, count: site.count)
    }
  }
}
