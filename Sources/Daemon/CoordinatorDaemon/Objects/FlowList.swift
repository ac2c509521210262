import CoordinatorKit
import DBus

/// The flows that can be started, as `ListFlows` lists them, sorted by the bytes of their names.
///
/// A registration only changes the entries of its flows, regardless of the number of others.
struct FlowList: Sendable {
  /// A flow of the list.
  struct Entry: Sendable {
    let name: String
    let values: [String: Value]
    /// The size of the values in a message, in bytes.
    let size: Int

    init(_ name: String, _ values: [String: Value]) {
      (self.name, self.values, size) = (name, values, Value.vardict(values).wireSize)
    }
  }

  /// A part of the list.
  struct Page: Sendable {
    let entries: [[String: Value]]
    /// Whether more flows follow.
    let hasMore: Bool
  }

  private(set) var entries: [Entry]
  /// The size of all entries, in bytes.
  private(set) var size: Int
  /// A number that changes whenever the list does.
  private(set) var stamp: UInt64 = 0

  /// Creates a list.
  init(_ entries: [Entry]) {
    self.entries = entries.sorted { Self.precedes($0.name, $1.name) }
    size = entries.reduce(0) { $0 + $1.size }
  }

  /// Replaces the entries of some flows.
  ///
  /// - Parameters:
  ///   - names: the flows.
  ///   - describe: returns the entry of a flow; nil if it is no longer listed.
  mutating func update(_ names: Set<String>, _ describe: (String) -> Entry?) {
    guard !names.isEmpty else { return }
    var new = names.compactMap(describe).sorted { Self.precedes($0.name, $1.name) }[...]
    var merged: [Entry] = []
    merged.reserveCapacity(entries.count + new.count)
    for entry in entries where !names.contains(entry.name) {
      while let first = new.first, Self.precedes(first.name, entry.name) { merged.append(new.removeFirst()) }
      merged.append(entry)
    }
    entries = merged + new
    size = entries.reduce(0) { $0 + $1.size }
    stamp += 1
  }

  /// Returns the values of all entries.
  ///
  /// - Parameter hidden: flows that the caller must not see.
  /// - Returns: the values, in order.
  func values(hiding hidden: Set<String>) -> [[String: Value]] {
    hidden.isEmpty ? entries.map(\.values) : entries.filter { !hidden.contains($0.name) }.map(\.values)
  }

  /// Returns a part of the list.
  ///
  /// - Parameters:
  ///   - name: the last flow of the previous part; "" for none. It need not be in the list any more.
  ///   - count: the maximum number of entries.
  ///   - bytes: the approximate maximum size in bytes. A single entry may be larger.
  ///   - hidden: flows that the caller must not see.
  /// - Returns: the part.
  func page(after name: String, count: Int, bytes: Int, hiding hidden: Set<String>) -> Page {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(name, entries[middle].name) { high = middle } else { low = middle + 1 }
    }
    var (page, size) = ([[String: Value]](), 0)
    for entry in entries[low...] where !hidden.contains(entry.name) {
      guard page.isEmpty || (page.count < count && size + entry.size <= bytes) else { return Page(entries: page, hasMore: true) }
      page.append(entry.values)
      size += entry.size
    }
    return Page(entries: page, hasMore: false)
  }

  private static func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
}

/// The flows that clients can start: those that are built in, and those that providers serve. Used only on the host's
/// executor.
final class OfferedFlows {
  /// The result of `ListFlows` for a caller from which no flow is hidden.
  private(set) lazy var list = listed
  private let catalogue: FlowCatalogue
  private let provider: BusProvider
  private let providedFlows: ProvidedFlows

  /// Creates the flows that are built in. The flows of providers are added by ``adopt(_:used:)``.
  init(of host: HostServices) { (catalogue, provider, providedFlows) = (host.catalogue, host.provider, host.providedFlows) }

  /// Adopts a change of the flows that providers serve.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - used: returns the flows that have live coordinators. Called only if flows were removed.
  func adopt(_ change: ProviderTable.Change, used: () -> Set<String>) {
    for flow in change.described {
      providedFlows.add(flow.description, schemas: flow.schemas, wantsLooking: flow.wantsLooking)
    }
    let used = change.removed.isEmpty ? [] : used()
    for name in change.removed { providedFlows.remove(name, isUsed: used.contains(name)) }
    update(change.listed)
  }

  /// The entries in the result of `ListFlows`. Internal flows are never listed.
  private var listed: FlowList {
    let served = provider.withTable { $0.served }
    return FlowList(
      catalogue.descriptions.filter { !$0.isInternal }.map { flow in
        entry(of: flow, catalogue.schemas(of: flow.name), catalogue.isBuiltIn(flow.name) ? nil : served[flow.name])
      })
  }

  /// Updates the entries of some flows.
  private func update(_ flows: Set<String>) {
    let served = provider.withTable { $0.served }
    list.update(flows.filter { !catalogue.isBuiltIn($0) }) { name in
      guard let served = served[name], !served.flow.description.isInternal else { return nil }
      return entry(of: served.flow.description, served.flow.schemas, served)
    }
  }

  private func entry(of flow: FlowDescription, _ schemas: FlowSchemas?, _ served: ProvidedFlow?) -> FlowList.Entry {
    var values = flow.vardict(schemas, catalogue.translations.languages)
    if let served { values["provider"] = .string(served.key) }
    return FlowList.Entry(flow.name, values)
  }
}
