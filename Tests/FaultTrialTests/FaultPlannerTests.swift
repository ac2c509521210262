import Testing

@testable import FaultTrial

@Suite("Which faults are tried")
struct FaultPlannerTests {
  private let sites = [
    FaultSite(id: 0xa1, operation: .write, file: .wal, count: 10), FaultSite(id: 0xb2, operation: .sync, file: .wal, count: 1),
    FaultSite(id: 0xc3, operation: .read, file: .database, count: 3),
  ]

  @Test("everything is every operation, failing in every way that fits it, once and lasting")
  func all() {
    let faults = FaultPlanner(sites: sites, seed: 1).all()
    // EIO, ENOSPC and a short write once and lasting, and EINTR once; EIO and ENOSPC of a sync; EIO and EINTR of a read.
    #expect(faults.count == 10 * 7 + 1 * 4 + 3 * 3)
    #expect(Set(faults).count == faults.count)
    #expect(!faults.contains { $0.kind == .interrupted && $0.lasts })
  }

  @Test("of each site the first operation, the second and the last fail in every way, and each of the others in one")
  func chosen() {
    let faults = FaultPlanner(sites: sites, seed: 1).chosen()
    let writes = faults.filter { $0.site == 0xa1 }
    for occurrence in [1, 2, 10] as [UInt32] { #expect(writes.count { $0.occurrence == occurrence } == 7) }
    for occurrence in 3...9 as ClosedRange<UInt32> { #expect(writes.count { $0.occurrence == occurrence } == 1) }
    #expect(faults.count { $0.site == 0xb2 } == 4)
    #expect(Set(faults).count == faults.count)
  }

  @Test("who stops early has seen every site")
  func spread() {
    for seed in 0..<20 as Range<UInt64> {
      #expect(Set(FaultPlanner(sites: sites, seed: seed).chosen().prefix(3).map(\.site)).count == 3)
    }
  }

  @Test("the same seed chooses the same, whatever the order of the sites")
  func seeded() {
    #expect(FaultPlanner(sites: sites, seed: 4).chosen() == FaultPlanner(sites: sites.reversed(), seed: 4).chosen())
    #expect(FaultPlanner(sites: sites, seed: 4).chosen() != FaultPlanner(sites: sites, seed: 5).chosen())
  }

  @Test("what is printed of a fault says all of it")
  func text() {
    for fault in FaultPlanner(sites: sites, seed: 1).all() { #expect(Fault(fault.description) == fault) }
    #expect(Fault("write-wal-a1:2:EIO:once")?.occurrence == 2)
    for text in ["", "write-wal-a1:2:EIO", "write-wal-xy:2:EIO:once", "write-wal-a1:2:EWHAT:once", "write-wal-a1:-1:EIO:once"] {
      #expect(Fault(text) == nil)
    }
  }

  @Test("on a full disk what needs room fails, and a disk that cannot sync still reads")
  func scope() {
    #expect(Fault("write-wal-a1:2:ENOSPC:lasting")?.scope.contains(.read) == false)
    #expect(Fault("write-wal-a1:2:short:lasting")?.scope.contains(.write) == true)
    #expect(Fault("sync-wal-a1:2:EIO:lasting")?.scope == [.sync])
    #expect(Fault("write-wal-a1:2:EIO:lasting")?.scope == Set(FileOperation.allCases))
  }
}
