import CoordinatorKit
import CoordinatorScripts
import Forms
import ScriptEngine

/// A question of a script that waits for an answer.
struct PlayedQuestion {
  /// The coordinator that asks it.
  let coordinator: CoordinatorRecord
  /// The key of the question in the log of that coordinator.
  let key: String
  let shown: ShownScreen

  /// Finds the question that is open; nil if none is, or if work goes first.
  init?(_ state: TreeState) {
    guard state.ordered.isEmpty, let shown = state.window.top, shown.content.progress == nil,
      let coordinator = state.coordinators[shown.coordinator], let log = coordinator.log, let key = log.shownQuestion,
      log.entries.last(where: { $0.key == key })?.isOpen == true
    else { return nil }
    (self.coordinator, self.key, self.shown) = (coordinator, key, shown)
  }

  /// Where it is asked.
  var place: String { "\(coordinator.path)/\(key)" }

  /// What is shown, without what differs after Back and after a crash: suggestions and the messages of the engine.
  var comparable: JSONValue {
    var screen = shown.content
    (screen.suggested, screen.values, screen.until) = (nil, [:], nil)
    screen.choosing?.initial = []
    screen.messages.removeAll { ["secret-lost", "undo-failed"].contains($0.code) }
    return .object((try? screen.json) ?? [:])
  }
}

extension TreeState {
  /// The running work with its owners: that of the innermost coordinators first.
  var ordered: [(owner: CoordinatorRecord, id: WorkID, work: ProvidedWork)] {
    coordinatorsInOrder.reversed().flatMap { owner in
      owner.work.compactMap { record in (record.work as? ProvidedWork).map { (owner, record.id, $0) } }
    }
  }

  /// Why a coordinator is held; nil if none is.
  var holdReason: String? { holds.lazy.compactMap { hold(of: $0) }.first }
}

extension CoordinatorRecord {
  /// The log of a script; nil for anything else.
  var log: ScriptLog? { providedState.flatMap { ScriptLog(text: $0) } }

  /// The coordinator as its script knows it.
  var instance: FlowInstance { FlowInstance(flow: flow, path: path, startedAt: startedAt) }
}
