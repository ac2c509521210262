import Foundation

/// Replays a recording without losses, and reads the state of each tree after each of its calls.
struct StateTable {
  /// The error for a replay that contradicts the answers that the clients received, so that it proves nothing.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var expected = ExpectedStates()

  init(_ records: [DiskRecord], _ calls: [AcknowledgedCall], in place: String) async throws {
    var model = DiskModel()
    var next = 0
    let directory = "\(place)/replayed"
    for call in calls {
      while next < records.count, records[next].sequence <= call.position {
        model.apply(records[next])
        next += 1
      }
      try model.current.write(to: directory)
      let found = try await StoredStates("\(directory)/state")
      try add(found.trees[call.tree] ?? .unknown, call)
      expected.history = found.history
    }
    try? FileManager.default.removeItem(atPath: directory)
  }

  private mutating func add(_ state: StoredState, _ call: AcknowledgedCall) throws {
    if case .live(_, let tree) = state, tree.counters.revision != call.revision {
      throw Wrong(description: "\(call.tree): the replay leads to revision \(tree.counters.revision) and not to \(call.revision)")
    }
    guard state != .unknown else { throw Wrong(description: "\(call.tree): it is not in the replay") }
    var tree = expected.trees[call.tree] ?? ExpectedStates.Tree()
    tree.states.append(state)
    tree.positions.append(call.position)
    tree.revisions.append(call.revision)
    expected.trees[call.tree] = tree
  }
}

extension [String: FileImage] {
  /// Creates a directory that contains exactly these files.
  func write(to directory: String) throws {
    let files = FileManager.default
    try? files.removeItem(atPath: directory)
    // The daemon syncs its directory before it creates files in it, so the directory always exists.
    try files.createDirectory(
      atPath: "\(directory)/state", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for (name, image) in self {
      let path = "\(directory)/\(name)"
      guard files.createFile(atPath: path, contents: Data(image.bytes), attributes: [.posixPermissions: 0o600]) else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
      }
    }
  }
}
