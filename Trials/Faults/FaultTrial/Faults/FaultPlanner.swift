import TestBus

/// Which faults to try, of all that there could be: a list to be gone through as far as the time allows.
public struct FaultPlanner: Sendable {
  /// Where something is done to a file.
  public var sites: [FaultSite]
  /// Where the randomness begins.
  public var seed: UInt64

  /// A planner.
  public init(sites: [FaultSite], seed: UInt64) { (self.sites, self.seed) = (sites, seed) }

  /// Everything that can be tried: each operation, failing in every way that fits it, once and lasting.
  public func all() -> [Fault] {
    spread { site in (1...max(1, site.count)).flatMap { Self.faults(of: site, at: $0) } }
  }

  /// At each site the first operation, the second and the last, failing in every way that fits it; then each of the others, failing in
  /// one way. Whoever stops early has seen as many sites as possible.
  public func chosen() -> [Fault] {
    var generator = SeededGenerator(seed: seed)
    let certain = spread { site in Self.edges(of: site).flatMap { Self.faults(of: site, at: $0) } }
    let others = sites.sorted { $0.id < $1.id }.flatMap { site in
      (1...max(1, site.count)).filter { !Self.edges(of: site).contains($0) }
        .compactMap { Self.faults(of: site, at: $0).randomElement(using: &generator) }
    }
    return certain + others.shuffled(using: &generator)
  }

  private static func edges(of site: FaultSite) -> [UInt32] { Set([1, 2, site.count].filter { $0 <= site.count }).sorted() }

  private static func faults(of site: FaultSite, at occurrence: UInt32) -> [Fault] {
    Fault.Kind.fitting(site.operation).flatMap { kind in
      (kind.canLast ? [false, true] : [false]).map { lasts in
        Fault(
          site: site.id, operation: site.operation, file: site.file, occurrence: occurrence, kind: kind, lasts: lasts)
      }
    }
  }

  /// One of each site, then another of each, and so on.
  private func spread(_ faults: (FaultSite) -> [Fault]) -> [Fault] {
    var generator = SeededGenerator(seed: seed)
    var rows = sites.sorted { $0.id < $1.id }.map { faults($0).shuffled(using: &generator) }
    var result: [Fault] = []
    while !rows.isEmpty {
      rows.shuffle(using: &generator)
      for index in rows.indices { if let fault = rows[index].popLast() { result.append(fault) } }
      rows.removeAll(where: \.isEmpty)
    }
    return result
  }
}
