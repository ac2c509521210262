import CoordinatorKit
import CoordinatorScripts
import CoordinatorTestKit
import Forms
import RendererKit
import ScriptEngine

/// Finds what can happen in a place of a script.
struct PathChoices: Sendable {
  /// How many rows of a list are chosen: the first, the last, and some in between.
  private static let rows = 3
  /// With how many different values a form is sent.
  private static let payloads = 3

  let policy: StepPolicy
  /// Whether steps without a stub are really done.
  let isReal: Bool
  /// The flows that can be played as children.
  let flows: Set<String>

  /// Returns everything that can happen; nothing where no way goes on.
  ///
  /// - Throws: an error that describes what is wrong with the question.
  func all(in tree: PlayedTree) throws -> [PathChoice] {
    guard let node = tree.node else {
      if case .work(let flow, let work) = tree.pending {
        let start = ExploredFlow.Node(kind: .start, name: tree.flows[0].script.name)
        return [PathChoice(flow: flow, node: start, label: "", kind: .perform(work))]
      }
      return []
    }
    func choice(_ flow: Int, _ label: String, _ kind: PathChoice.Kind) -> PathChoice {
      PathChoice(flow: flow, node: node, label: label, kind: kind)
    }
    switch tree.pending {
    case .question(let flow, let key):
      guard let shown = tree.flows[flow].contents[key] else { return [] }
      var choices = try answers(to: shown.content).map { label, event, payload in
        let (open, secrets) = Self.split(payload, shown.content.form?.schema.secretFields ?? [])
        return choice(
          flow, label, .event(.event(name: event, key: key, payload: open, secrets: secrets.keys.sorted()), secrets: secrets))
      }
      let timer = "timeout:\(key)"
      if let due = tree.flows[flow].timers[timer] { choices.append(choice(flow, "nobody answers", .fire(key: timer, due: due))) }
      return choices
    case .work(let flow, let work): return self.work(work, in: tree.flows[flow]).map { choice(flow, $0.label, $0.kind) }
    case .child(let flow, let child):
      if policy.stubs[child.name] == nil, flows.contains(child.child.flow) { return [choice(flow, "", .playChild(child))] }
      return [
        choice(flow, "finished", .childEnded(child, .finished([:]))), choice(flow, "cancelled", .childEnded(child, .cancelled)),
      ]
    case .timer(let flow, let key, let due): return [choice(flow, "", .fire(key: key, due: due))]
    case .nothing, .ended: return []
    }
  }

  private func work(_ work: PlayedWork, in flow: PlayedFlow) -> [(label: String, kind: PathChoice.Kind)] {
    guard let entry = flow.entry(of: work), let step = entry.step else { return [("", .perform(work))] }
    let hasStub = policy.stubs[entry.name] != nil
    if step.isLook || isReal { return [("", hasStub ? .stub(work) : .perform(work))] }
    func end(_ ending: StepEnding) -> PathChoice.Kind { .event(.workEnded(id: work.work.id, .ended(ending))) }
    let (done, failed) = (
      StubCommand.Output(text: "", status: 0), StubCommand.Output(text: "", status: 1, complaint: "it fails as a trial")
    )
    let failing: [(label: String, kind: PathChoice.Kind)] = [("fails", end(failed.ending(for: flow.script.kind)))]
    // Of a step that is tried again, the first attempt or the last one is done, or none.
    if let most = step.mostAttempts, step.attempts > 1, step.attempts < most { return failing }
    return [("done", hasStub ? .stub(work) : end(done.ending(for: flow.script.kind)))] + failing
  }

  // MARK: Answers

  private typealias Answer = (label: String, event: String, payload: [String: JSONValue])

  private func answers(to screen: Screen) throws -> [Answer] {
    var answers: [Answer] = []
    let items = (screen.items ?? []).filter { $0.disabled == nil }
    for item in Self.some(of: items) {
      guard let choosing = screen.choosing, let count = choosing.count else {
        answers.append((item.id, Event.select, ["id": .string(item.id)]))
        continue
      }
      let others = items.map(\.id).filter { $0 != item.id }.prefix(max(0, count.lowerBound - 1))
      answers.append(([item.id] + others).answer)
    }
    if let count = screen.choosing?.count, count.lowerBound == 0 { answers.append([String]().answer) }
    for action in screen.actions where action.disabled == nil {
      guard action.role == .primary, let form = screen.form else {
        answers.append((action.id, action.id, [:]))
        continue
      }
      let examples = form.fields.compactMap { field in
        field.schema.annotations["examples"]?.array?.first.map { (field.name, $0) }
      }
      let payloads = PayloadCandidates(form: form, values: screen.values.merging(examples) { given, _ in given }).payloads
      guard !payloads.isEmpty else { throw UnknownValues(action: action.id) }
      answers += payloads.prefix(Self.payloads).map { payload in
        var values = payload
        for secret in form.schema.secretFields where values[secret] != nil { values[secret] = "•••" }
        return (values.isEmpty ? action.id : "\(action.id) \(JSONValue.object(values).canonicalText)", action.id, payload)
      }
    }
    return answers
  }

  /// The first, the last, and some in between.
  private static func some(of items: [Item]) -> [Item] {
    guard items.count > rows else { return items }
    return (0..<rows).map { items[$0 * (items.count - 1) / (rows - 1)] }
  }

  /// Separates the secrets of a form from its other values.
  private static func split(
    _ payload: [String: JSONValue], _ names: Set<String>
  ) -> (open: [String: JSONValue], secrets: [String: Secret]) {
    let secrets = payload.filter { names.contains($0.key) }.compactMapValues { $0.string.map { Secret($0) } }
    return (payload.filter { !names.contains($0.key) }, secrets)
  }
}

/// No values are known that a form accepts.
struct UnknownValues: Error {
  let action: String
}

extension [String] {
  /// The answer that chooses these rows.
  fileprivate var answer: (label: String, event: String, payload: [String: JSONValue]) {
    (isEmpty ? "none" : joined(separator: ", "), Event.select, ["ids": .array(map { .string($0) })])
  }
}
