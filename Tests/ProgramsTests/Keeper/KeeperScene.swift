import Forms
import FoundationEssentials
import ProgramQuestions

@testable import CoordinatorKeeper

/// A keeper without an environment: its effects are collected.
struct KeeperScene {
  var state: KeeperState
  /// The effects that are not bytes for a connection of the engine.
  var effects: [KeeperEffect] = []
  /// The connections with a time limit for their first request, in the order in which they came.
  var timed: [ConnectionID] = []
  private var sent: [ConnectionID: [UInt8]] = [:]

  init() {
    let program = ProgramDescription(id: "p", title: "P", arguments: ["p", "-x"], user: 7, run: "r")
    state = KeeperState(program)
  }

  mutating func take(_ event: KeeperEvent) {
    for effect in state.take(event) {
      if case .send(let id, let bytes) = effect {
        sent[id, default: []] += bytes
      } else if case .wait(.silent(let id), _) = effect {
        timed.append(id)
      } else {
        effects.append(effect)
      }
    }
  }

  mutating func send(_ id: ConnectionID, _ text: String) { take(.received(id, Array(text.utf8))) }

  /// Removes and returns the bytes sent to a connection, as text.
  mutating func text(to id: ConnectionID) -> String { String(decoding: sent.removeValue(forKey: id) ?? [], as: UTF8.self) }

  /// Removes and returns the bytes sent to a connection, as messages.
  mutating func messages(to id: ConnectionID) throws -> [JSONValue] {
    try text(to: id).split(separator: "\n").map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
  }

  mutating func takeEffects() -> [KeeperEffect] {
    defer { effects = [] }
    return effects
  }

  /// Connects a shim and sends its call.
  mutating func call(_ id: ConnectionID, _ arguments: String...) {
    take(.connected(id, .shim(caller: "sh")))
    let messages = [ShimMessage("shim", "whiptail".utf8)] + arguments.map { ShimMessage("argument", $0.utf8) }
    take(.received(id, (messages + [ShimMessage("ready")]).flatMap(\.encoded)))
  }
}
