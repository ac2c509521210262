import CoordinatorKit
import Forms
import Platform
import ScriptEngine

extension PlayedFlow {
  /// Does what a script has decided, as far as it concerns this coordinator.
  ///
  /// - Parameters:
  ///   - decision: what was decided.
  ///   - given: the secrets that came with the event.
  ///   - lastScreen: the number of the screen that was presented last; grows.
  ///   - lastChild: the number of the child that was started last; grows.
  /// - Returns: how the coordinator has ended; nil if it has not.
  mutating func apply(
    _ decision: FlowDecision, given: [String: Secret], lastScreen: inout UInt64, lastChild: inout Int
  ) -> Outcome? {
    state = decision.state
    var outcome: Outcome?
    for operation in decision.operations {
      switch operation {
      case .present(let key, _, _): present(key, &lastScreen)
      case .replace(let key, _):
        if !screens.isEmpty { screens.removeLast() }
        present(key, &lastScreen)
      case .dismiss(let key, _): if let index = screens.firstIndex(of: key) { screens.removeSubrange(index...) }
      case .dismissAbove(let key, _): if let index = screens.firstIndex(of: key) { screens.removeSubrange((index + 1)...) }
      case .startChild(let flow, let input, _, _): startChild(flow, input, &lastChild)
      case .cancelChild(let path): children.removeAll { $0.child.path.description == path }
      case .startWork(let work, let names, let isTaking): start(work, names, given, isTaking)
      case .cancelWork(let id): work.removeAll { id == nil || $0.work.id == id }
      case .startTimer(let key, let due, _): timers[key] = due.microseconds
      case .cancelTimer(let key): timers[key] = nil
      case .keepSecrets(let names): for (name, source) in names { secrets[name] = secret(source, given) }
      case .forgetSecrets(let names): for name in names { secrets[name] = nil }
      case .finish(let result, _): outcome = .finished(result)
      case .cancel: outcome = .cancelled
      case .fail(let failure): outcome = .failed(failure)
      case .attach, .emit, .send, .endAsChild, .setLanguage: break
      }
    }
    contents = contents.merging(decision.screens) { $1 }.filter { screens.contains($0.key) }
    return outcome
  }

  private mutating func present(_ key: String, _ lastScreen: inout UInt64) {
    lastScreen += 1
    numbers[key] = lastScreen
    screens.append(key)
  }

  private mutating func startChild(_ flow: String, _ input: [String: JSONValue], _ lastChild: inout Int) {
    lastChild += 1
    let element = flow.bytes.replacing("-", with: "_")
    let known = Set(children.map(\.name))
    let name = log?.entries.first { entry in
      entry.isOpen && entry.child?.flow == flow && entry.child?.input == input && !known.contains(entry.name)
    }?.name
    let child = Child(instance.path.child("\(element)_\(lastChild)"), flow: flow, input: input)
    children.append(PlayedChild(child: child, name: name ?? flow))
  }

  private mutating func start(
    _ new: ProvidedWork, _ names: FlowDecision.SecretNames, _ given: [String: Secret], _ isTaking: Bool
  ) {
    work.append(PlayedWork(work: new, secrets: names.compactMapValues { secret($0, given) }))
    guard isTaking else { return }
    for kept in names.values.compactMap({ $0.bytes.dropping(prefix: FlowDecision.keptPrefix) }) { secrets[String(kept)] = nil }
  }

  private func secret(_ source: String, _ given: [String: Secret]) -> Secret? {
    guard let kept = source.bytes.dropping(prefix: FlowDecision.keptPrefix) else { return given[source] }
    return secrets[String(kept)]
  }
}
