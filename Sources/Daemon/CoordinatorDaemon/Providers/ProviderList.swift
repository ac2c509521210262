import CoordinatorBus
import CoordinatorKit
import DBus
import ProviderFiles

/// Makes the result of `ListProviders`.
struct ProviderList {
  /// Who serves which flow.
  let table: ProviderTable
  /// The names that the bus can start a program for.
  let activatable: Set<String>
  /// The numbers of live and of held coordinators, by flow.
  private var counts: [String: (live: Int, held: Int)] = [:]

  init(_ table: ProviderTable, activatable: Set<String>) { (self.table, self.activatable) = (table, activatable) }

  /// Counts the coordinators of a tree.
  mutating func count(_ coordinators: some Sequence<CoordinatorRecord>) {
    for coordinator in coordinators {
      counts[coordinator.flow, default: (0, 0)].live += 1
      if coordinator.hold != nil { counts[coordinator.flow]?.held += 1 }
    }
  }

  /// Returns the entries: the daemon, then the files in descending precedence, then those that have only registered.
  func entries(builtIn: [String]) -> [[String: Value]] {
    let flows = Dictionary(grouping: table.served.keys) { table.served[$0]?.file?.path ?? "" }
    return [entry("builtin", Contract.busName, flows: builtIn, state: .running)]
      + table.files.files.map { entry(of: $0, flows: flows[$0.path] ?? []) } + table.files.faulty.map(entry(ofFaulty:))
      + table.all.compactMap(entry(of:))
  }

  private enum State: String { case running, activatable, away, failing }

  private func entry(of file: ProviderFile, flows: [String]) -> [String: Value] {
    let name = file.busName
    let trouble = table.trouble(of: name)
    let state: State =
      table.owner(of: name).connection != nil
      ? .running : trouble != nil ? .failing : activatable.contains(name) ? .activatable : .away
    var problems = table.files.losses[file.path]?.map(\.reason) ?? []
    if state == .failing, let trouble { problems.append(trouble) }
    return entry(
      "file", name, title: file.title, path: file.objectPath, flows: flows, state: state, file: file.path, problems: problems)
  }

  private func entry(ofFaulty faulty: ProviderFile.Reading) -> [String: Value] {
    entry(
      "file", faulty.busName ?? "", flows: [], state: .failing, file: faulty.path,
      problems: faulty.problems.map(\.description))
  }

  /// The flows of a registration that no file gives to its name; nil if there are none.
  private func entry(of registration: FlowRegistration) -> [String: Value]? {
    let flows = registration.flows.map(\.description.name).filter { flow in
      table.served[flow].map { $0.file == nil && $0.owner == registration.owner } ?? false
    }
    guard !flows.isEmpty else { return nil }
    return entry("registered", registration.title, path: registration.path, flows: flows, state: .running)
  }

  private func entry(
    _ origin: String, _ name: String, title: String? = nil, path: ObjectPath = .root, flows: [String], state: State,
    file: String? = nil, problems: [String] = []
  ) -> [String: Value] {
    var entry: [String: Value] = [
      "name": .string(name), "origin": .string(origin), "path": .objectPath(path), "flows": .strings(flows.sorted()),
      "state": .string(state.rawValue),
      "live": .uint32(UInt32(clamping: flows.reduce(0) { $0 + (counts[$1]?.live ?? 0) })),
      "held": .uint32(UInt32(clamping: flows.reduce(0) { $0 + (counts[$1]?.held ?? 0) })),
    ]
    entry["title"] = title.map(Value.string)
    entry["file"] = file.map(Value.string)
    if !problems.isEmpty { entry["problem"] = .string(problems.joined(separator: "; ")) }
    return entry
  }
}
