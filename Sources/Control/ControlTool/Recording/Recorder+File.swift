import CoordinatorAnswers
import CoordinatorKit

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
