import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import LinearTerminal
import Platform

/// Records an answers file from what happens in a flow tree. A value that makes the decisions, without I/O. Stores no
/// secrets.
///
/// Steps that the flow has undone are omitted: going back to a screen that looks as before, together with all steps
/// since, and an answer that the same screen refused with an error. Any other step back is kept, because it may have
/// had an effect.
struct Recorder: Sendable {
  /// An answer to a screen.
  struct Step: Sendable, Hashable {
    /// The number of the step in the recording.
    var number: Int
    /// The screen as it was when it was answered.
    var screen: PresentedScreen
    var answer: ScreenAnswer
    /// A remark about the unknown parts of the answer.
    var note: String?
    /// Whether the answer shows an earlier screen again: Back, or Change on a review.
    var leadsBack = false
  }

  /// The answers that count, in order.
  private(set) var steps: [Step] = []
  /// How the flow ended, or nil if it continues.
  private(set) var end: FlowEnd?
  private var count = 0
  private var window: MirroredWindow?
  /// The last draft of each screen, saved by any renderer.
  private var drafts: [UInt64: [String: JSONValue]] = [:]
  /// The step that the daemon has not accepted yet, and the steps before it.
  private var pending: (number: Int, before: [Step])?

  /// Handles an event of the session.
  mutating func take(_ moment: TerminalSession.Moment) {
    switch moment {
    case .event(.window(let window)): take(window)
    case .event(.drafted(let screen, let draft)) where !draft.isEmpty: drafts[screen] = draft
    case .event(.answered(let answer)): takeOther(answer)
    case .event(.ended(let end)): self.end = end
    case .event: break
    case .answered(let delegation):
      guard let screen = screen(delegation.screen) else { break }
      if delegation.event == ReviewRow.change, !screen.screen.review.isEmpty {
        addOwn(screen, change(delegation.payload), leadsBack: true)
      } else {
        addOwn(screen, Self.answer(delegation.event, delegation.payload, on: screen))
      }
    case .wentBack(let id):
      guard let screen = screen(id) else { break }
      addOwn(screen, .back, leadsBack: true)
    case .refused:
      guard let (number, before) = pending else { break }
      steps = before + steps.filter { $0.number > number }
      pending = nil
    }
  }

  private mutating func take(_ window: MirroredWindow) {
    defer { self.window = window }
    for screen in window.screens where !screen.draft.isEmpty { drafts[screen.id] = screen.draft }
    guard let back = steps.last, back.leadsBack, let top = window.top, top.id != back.screen.id,
      let earlier = steps.lastIndex(where: { $0.screen.id == top.id }), steps[earlier].screen.screen == top.screen
    else { return }
    steps.removeSubrange(earlier...)
  }

  /// Records an answer of another client. The values of a form and the item of a list are not reported.
  private mutating func takeOther(_ answer: Answer) {
    guard let screen = screen(answer.screen) else { return }
    guard !answer.event.isEmpty else { return add(screen, .back, leadsBack: true) }
    let action = screen.screen.actions.first { $0.id == answer.event }
    if action == nil {
      add(
        screen, .unknown, note: "'\(answer.event)' elsewhere: the chosen values are not known",
        leadsBack: answer.event == ReviewRow.change)
    } else if let form = screen.screen.form, !form.fields.isEmpty, action?.role == .primary {
      let known = (drafts[screen.id] ?? [:]).filter { name, _ in form.fields.contains { $0.name == name } }
      add(screen, Self.answer(answer.event, known, on: screen), note: "answered elsewhere: check the values")
    } else {
      add(screen, .action(answer.event))
    }
  }

  private mutating func addOwn(_ screen: PresentedScreen, _ answer: ScreenAnswer, leadsBack: Bool = false) {
    pending = (count + 1, steps)
    add(screen, answer, leadsBack: leadsBack)
  }

  private mutating func add(
    _ screen: PresentedScreen, _ answer: ScreenAnswer, note: String? = nil, leadsBack: Bool = false
  ) {
    if let last = steps.last, last.screen.isAskedAgain(as: screen) { steps.removeLast() }
    count += 1
    steps.append(Step(number: count, screen: screen, answer: answer, note: note, leadsBack: leadsBack))
  }

  private func screen(_ id: UInt64) -> PresentedScreen? { window?.screens.last { $0.id == id } }

  /// Returns the answer to record for Change: the name of the screen that is shown again.
  private func change(_ payload: [String: JSONValue]) -> ScreenAnswer {
    guard let id = payload["id"]?.integer.flatMap(UInt64.init(exactly:)), let target = screen(id) else { return .unknown }
    return .values(["change": .text(target.screen.name)])
  }

  /// Returns the answer to record for an event, with references in place of secrets.
  private static func answer(
    _ event: String, _ payload: [String: JSONValue], on presented: PresentedScreen
  ) -> ScreenAnswer {
    let screen = presented.screen
    if screen.items != nil, event == Event.select {
      if let ids = payload["ids"]?.array { return .values(["select": .list(ids.compactMap(\.string))]) }
      if let id = payload["id"]?.string { return .values(["select": .text(id)]) }
    }
    let primary = screen.actions.first { $0.role == .primary }
    guard let form = screen.form, screen.actions.contains(where: { $0.id == event && $0.role == .primary }) else {
      return .action(event)
    }
    var values: [String: AnswerValue] = [:]
    for field in form.shownFields(in: payload) {
      if field.schema.isSecret {
        let name = [screen.name, field.name].joined(separator: ".")
        values[field.name] = .reference(.credential(name.bytes.replacing("/", with: "-")))
      } else if let value = payload[field.name] {
        values[field.name] = AnswerValue(value)
      }
    }
    if event != primary?.id { values["action"] = .text(event) }
    return values.isEmpty ? .action(event) : .values(values)
  }
}

extension PresentedScreen {
  /// Returns whether a screen asks the same again, because the flow has refused the answer. A script asks by another screen of
  /// the same name.
  fileprivate func isAskedAgain(as other: PresentedScreen) -> Bool {
    (id == other.id || coordinator == other.coordinator && screen.name.bytes.equals(other.screen.name))
      && other.screen.messages.contains { $0.level == .error }
  }
}

extension AnswerValue {
  /// Converts a value to its representation in an answers file.
  init(_ value: JSONValue) {
    switch value {
    case .null: self = .nothing
    case .string(let text): self = .text(text)
    case .array(let elements): self = .list(elements.map { $0.string ?? $0.canonicalText })
    default: self = .text(value.canonicalText)
    }
  }
}

extension Recorder {
  /// The names of the credentials that the answers refer to, sorted.
  var credentials: [String] {
    var names: [String] = []
    for case .values(let values) in steps.map(\.answer) {
      for case .reference(.credential(let name)) in values.values where !names.contains(name) { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether some answers are not fully known.
  var hasGaps: Bool { steps.contains { $0.note != nil } }

  /// Returns the recorded answers as a file.
  ///
  /// - Parameters:
  ///   - flow: flow of the root coordinator.
  ///   - input: input that the flow was started with.
  ///   - names: names of the coordinators' flows.
  /// - Returns: a file in which each coordinator has its own answers.
  func file(flow: String, input: [String: JSONValue], names: FlowNames) -> AnswersFile {
    var flows: [AnswersFile.Flow] = []
    var seats: [String: Int] = [:]
    for step in steps {
      let name = names.path(to: step.screen.coordinator).last ?? flow
      let index = flows.firstIndex { $0.name == name } ?? flows.endIndex
      if index == flows.endIndex { flows.append(AnswersFile.Flow(name, [], isList: false)) }
      let path = step.screen.coordinator.string
      let seat = seats[path] ?? flows[index].coordinators.count
      if seats[path] == nil {
        seats[path] = seat
        flows[index].coordinators.append([])
        flows[index].isList = seat > 0
      }
      flows[index].coordinators[seat].add(step)
    }
    return AnswersFile(flow: flow, input: input.mapValues(AnswerValue.init), flows: flows)
  }
}

extension [AnswersFile.Screen] {
  fileprivate mutating func add(_ step: Recorder.Step) {
    if let index = firstIndex(where: { $0.name == step.screen.screen.name }) {
      self[index].answers.append(step.answer)
      self[index].isList = true
      self[index].note = self[index].note ?? step.note
    } else {
      append(AnswersFile.Screen(step.screen.screen.name, [step.answer], note: step.note))
    }
  }
}
