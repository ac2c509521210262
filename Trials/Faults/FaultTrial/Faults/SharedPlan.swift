import CFaultPlan
import Glibc

/// The plan that the trial shares with the library in the daemon: a file that both have mapped.
///
/// `@unchecked Sendable`, because the pointer never changes, and what changes behind it is read and written atomically, here and there.
final class SharedPlan: @unchecked Sendable {
  /// A file could not be made.
  struct Unusable: Error {
    let path: String
    let reason: String
  }

  /// Where the file is.
  let path: String
  private let plan: UnsafeMutablePointer<fault_plan>
  private let isLasting: Bool

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - prefix: The directory whose files count, with all that is below it.
  ///   - fault: What is to fail; nil if nothing is.
  ///   - skippingSync: Whether nothing is to wait for the disk.
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

  /// How many operations have failed.
  var hits: UInt32 { fault_plan_hits(plan) }

  /// How many operations there were.
  var operations: UInt32 { fault_plan_operations(plan) }

  /// The number of the newest record.
  var sequence: UInt64 { fault_plan_sequence(plan) }

  /// Lets nothing fail any more.
  func clear() { fault_plan_clear(plan) }

  /// Where something was done, read when nobody does anything.
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
