import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus

@testable import CoordinatorTestKit

/// Plays a flow twice, built in and served, with the same moves, and compares everything that can be seen.
struct Lockstep {
  let explorer: FlowExplorer
  let served: FlowExplorer
  var random: SeededGenerator

  /// What differs, after which moves.
  struct Difference: Error, CustomStringConvertible {
    let path: [String]
    let what: String
    let builtIn: String
    let served: String

    var description: String {
      "\(what) differs after \(path.joined(separator: " ▸ ")):\n  built in: \(builtIn)\n  served:   \(served)"
    }
  }

  init(_ explorer: FlowExplorer, seed: UInt64) throws {
    self.explorer = explorer
    var served = explorer
    served.catalogue = try explorer.catalogue.served()
    self.served = served
    random = SeededGenerator(seed: seed)
  }

  /// Makes a walk of some moves at random.
  ///
  /// - Returns: the number of moves.
  mutating func walk(_ most: Int) async throws -> Int {
    let input = explorer.inputs.randomElement(using: &random) ?? [:]
    let one = FlowRun(of: explorer)
    let other = FlowRun(of: served)
    defer {
      one.close()
      other.close()
    }
    var path = ["start"]
    let refusals = (await one.start(explorer.flow, input: input), await other.start(explorer.flow, input: input))
    try compare("the start", path, refusals.0.map { "\($0)" } ?? "", refusals.1.map { "\($0)" } ?? "")
    for count in 0..<most {
      let states = (await one.state, await other.state)
      try compare(states.0, states.1, path)
      let moves = explorer.moves(in: states.0).filter { move in
        // Otherwise, most walks would be short.
        if case .dismiss = move.kind { return count + 1 == most }
        return true
      }
      guard let move = moves.randomElement(using: &random) else { return count }
      path.append(move.text)
      let answers = (await one.make(move), await other.make(move))
      try compare("the answer", path, "\(answers.0)", "\(answers.1)")
    }
    try compare(await one.state, await other.state, path)
    return most
  }

  private func compare(_ one: TreeState, _ other: TreeState, _ path: [String]) throws {
    try compare("the revision", path, "\(one.revision)", "\(other.revision)")
    try compare("the language", path, "\(String(describing: one.language))", "\(String(describing: other.language))")
    try compare("the list of coordinators", path, one.places, other.places)
    try compare("the outcomes", path, one.ends, other.ends)
    try compare("the list of screens", path, "\(one.window.screens.map(\.id))", "\(other.window.screens.map(\.id))")
    for (screen, served) in zip(one.window.screens, other.window.screens) {
      try compare("the screen \(screen.content.name)", path, screen.look, served.look)
    }
  }

  private func compare(_ what: String, _ path: [String], _ one: String, _ other: String) throws {
    guard one != other else { return }
    throw Difference(path: path, what: what, builtIn: one, served: other)
  }
}

extension TreeState {
  fileprivate var ends: String {
    outcomes.inOrder.map { end in
      guard case .finished(let result) = end.outcome else { return "\(end)" }
      return "\(end.path) finished \(JSONValue.object(result).canonicalText)"
    }.joined(separator: "; ")
  }

  fileprivate var places: String {
    coordinatorsInOrder.map { record in
      let timers = record.timers.map { "\($0.due)" }.sorted()
      return "\(record.path) \(record.flow) \(JSONValue.object(record.input).canonicalText) \(record.router) "
        + "work \(record.work.count) timers \(timers) secrets \(record.secretNames.sorted())"
    }.joined(separator: "; ")
  }
}

extension ShownScreen {
  /// Everything that can be seen of the screen.
  fileprivate var look: String {
    "\(id) \(coordinator) \(style) \(layer) \(back) \(leaves) \(changedAt) \(JSONValue.object(draft).canonicalText) \(attached) "
      + ((try? content.description()).map { "\(Value.vardict($0))" } ?? "cannot be sent")
  }
}
