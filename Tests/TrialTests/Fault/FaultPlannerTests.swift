import Testing

@testable import faults

@Suite("The choice of faults", .timeLimit(.minutes(5)))
struct FaultPlannerTests {
  private let sites = [
    FaultSite(id: 0xa1, operation: .write, file: .wal, count: 10), FaultSite(id: 0xb2, operation: .sync, file: .wal, count: 1),
    FaultSite(id: 0xc3, operation: .read, file: .database, count: 3),
  ]

  @Test("The full plan fails every operation in every way that fits it, once and lastingly")
  func everyFaultOfEveryOperationIsListed() {
    let faults = FaultPlanner(sites: sites, seed: 1).all()
    // A write: EIO, ENOSPC and a short write once and lastingly, and EINTR once. A sync: EIO and ENOSPC. A read: EIO
    // and EINTR.
    #expect(faults.count == 10 * 7 + 1 * 4 + 3 * 3)
    #expect(Set(faults).count == faults.count)
    #expect(!faults.contains { $0.kind == .interrupted && $0.lasts })
  }

  @Test("The chosen faults fail the first, second and last operation of a site in every way, and the others in one")
  func chosenFaultsCoverEverySite() {
    let faults = FaultPlanner(sites: sites, seed: 1).chosen()
    let writes = faults.filter { $0.site == 0xa1 }
    for occurrence in [1, 2, 10] as [UInt32] { #expect(writes.count { $0.occurrence == occurrence } == 7) }
    for occurrence in 3...9 as ClosedRange<UInt32> { #expect(writes.count { $0.occurrence == occurrence } == 1) }
    #expect(faults.count { $0.site == 0xb2 } == 4)
    #expect(Set(faults).count == faults.count)
  }

  @Test("The chosen faults begin with one of every site")
  func chosenFaultsBeginWithEverySite() {
    for seed in 0..<20 as Range<UInt64> {
      #expect(Set(FaultPlanner(sites: sites, seed: seed).chosen().prefix(3).map(\.site)).count == 3, "seed \(seed)")
    }
  }

  @Test("The same seed chooses the same faults, whatever the order of the sites")
  func sameSeedChoosesTheSameFaults() {
    #expect(FaultPlanner(sites: sites, seed: 4).chosen() == FaultPlanner(sites: sites.reversed(), seed: 4).chosen())
    #expect(FaultPlanner(sites: sites, seed: 4).chosen() != FaultPlanner(sites: sites, seed: 5).chosen())
  }

  @Test("A fault can be read back from its description")
  func faultIsReadFromItsDescription() {
    for fault in FaultPlanner(sites: sites, seed: 1).all() { #expect(Fault(fault.description) == fault) }
    #expect(Fault("write-wal-a1:2:EIO:once")?.occurrence == 2)
    for text in ["", "write-wal-a1:2:EIO", "write-wal-xy:2:EIO:once", "write-wal-a1:2:EWHAT:once", "write-wal-a1:-1:EIO:once"] {
      #expect(Fault(text) == nil)
    }
  }

  @Test("A lasting fault fails the operations it concerns: a full disk still reads, and so does one that cannot sync")
  func lastingFaultFailsRelatedOperations() {
    #expect(Fault("write-wal-a1:2:ENOSPC:lasting")?.scope.contains(.read) == false)
    #expect(Fault("write-wal-a1:2:short:lasting")?.scope.contains(.write) == true)
    #expect(Fault("sync-wal-a1:2:EIO:lasting")?.scope == [.sync])
    #expect(Fault("write-wal-a1:2:EIO:lasting")?.scope == Set(FileOperation.allCases))
  }
}
