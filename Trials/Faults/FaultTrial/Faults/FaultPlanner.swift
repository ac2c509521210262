import TestBus

/// Chooses and orders the faults to try; the trial works through them as far as time allows.
public struct FaultPlanner: Sendable {
  /// The places in the code that operate on files.
  public var sites: [FaultSite]
  /// The seed of the random choices.
  public var seed: UInt64

  /// Creates a planner.
  public init(sites: [FaultSite], seed: UInt64) { (self.sites, self.seed) = (sites, seed) }

  /// Returns every possible fault: each operation, failing in every way that applies to it, both once and lasting.
  public func all() -> [Fault] {
    spread { site in (1...max(1, site.count)).flatMap { Self.faults(of: site, at: $0) } }
  }

  /// Returns a selection of faults: at each site the first, the second and the last operation, failing in every way
  /// that applies; then each of the others, failing in one way. They are ordered such that a trial that stops early has
  /// covered as many sites as possible.
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

  /// Interleaves the faults of all sites: one of each site, then another of each, and so on.
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
