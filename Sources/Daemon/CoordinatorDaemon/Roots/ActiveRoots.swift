import DBus

/// The roots that have objects on the bus, at one moment. Any thread may read it, as large answers do.
struct ActiveRoots: Sendable {
  let live: [String: LiveRoot]
  let held: HeldRoots

  /// The roots, in the order in which they were started.
  var inOrder: [HostedRoot] {
    (live.values.map { HostedRoot.live($0) } + held.all.map { HostedRoot.held($0) }).sorted { $0.sequence < $1.sequence }
  }

  /// Returns the rows of `ListActive`, in the order in which the roots were started, except those of some flows.
  func rows(hiding hidden: Set<String>) -> Value {
    let rows = inOrder.filter { !hidden.contains($0.flow) }.map { root in
      Value.structure([
        .objectPath(root.path.objectPath), .string(root.flow), .string(root.token ?? ""),
        .uint64(root.coordinator(at: root.path)?.startedAt ?? 0),
      ])
    }
    return .array(of: .structure([.objectPath, .string, .string, .uint64]), rows)
  }
}
