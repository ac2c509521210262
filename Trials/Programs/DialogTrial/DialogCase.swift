import CoordinatorKit
package import Forms
package import ProgramQuestions

/// A call of whiptail or dialog and the user's actions in it, for comparison with the real program.
///
/// Byte strings are written as strings in which each scalar is one byte, so that JSON can contain them.
package struct DialogCase: Sendable, Hashable, Codable {
  /// The user's action in one box.
  package struct Act: Sendable, Hashable, Codable {
    /// The event, such as `ok` or `cancel`; `back` goes back.
    package var event: String
    /// The rows to choose, by index.
    package var items: [Int]?
    /// The input, in the order of the fields; nil for the existing value of a field.
    package var fields: [String?]?
  }

  /// The outcome of a call.
  package struct Outcome: Sendable, Hashable, Codable {
    package var status: Int
    /// The output, by file descriptor.
    package var outputs: [String: String]
    /// The screens, in order.
    package var screens: [JSONValue]?
    /// The reason why the call could not be played.
    package var problem: String?
  }

  package var program: String
  package var arguments: [String]
  package var environment: [String: String]?
  /// The contents of files by path.
  package var files: [String: String]?
  package var acts: [Act]
  /// The outcome of the real program; nil if it is not known.
  package var outcome: Outcome?

  /// Plays the call.
  ///
  /// - Returns: the outcome.
  package func play() -> Outcome {
    var invocation = DialogInvocation(
      program == "whiptail" ? .whiptail : .dialog, arguments.map(ProgramText.init(latin1:)),
      environment: (environment ?? [:]).mapValues(ProgramText.init(latin1:)))
    invocation.writable = [0, 1, 2, 3]
    var inputs: [DialogInput] = []
    var screens: [JSONValue] = []
    var acts = self.acts[...]
    while true {
      switch invocation.step(after: inputs) {
      case .ask(let question):
        screens.append(question.screen.told)
        guard let act = acts.popFirst(), inputs.count < 100 else { return failed("asked more often", screens) }
        guard let answer = act.answer(to: question) else { return failed("cannot do \(act)", screens) }
        inputs.append(.answer(answer))
      case .show(let question, _):
        screens.append(question.screen.told)
        inputs.append(.shown)
      case .follow(let box, _):
        screens.append(box.display(nil).screen.told)
        inputs.append(.endOfInput)
      case .read(let path, let file):
        inputs.append(input(of: path.latin1, mustBeRegular: file == .regular))
      case .readDescriptor(let descriptor): inputs.append(input(of: "&\(descriptor)", mustBeRegular: false))
      case .end(let result):
        if !acts.isEmpty { return failed("asked too seldom", screens) }
        var outputs: [String: String] = [:]
        for output in result.outputs { outputs["\(output.descriptor)", default: ""] += ProgramText(output.bytes).latin1 }
        return Outcome(status: Int(result.status), outputs: outputs, screens: screens)
      }
    }
  }

  private func input(of path: String, mustBeRegular: Bool) -> DialogInput {
    guard let content = files?[path] else { return .failure("No such file or directory") }
    return .file(ProgramText(latin1: content).bytes)
  }

  private func failed(_ problem: String, _ screens: [JSONValue]) -> Outcome {
    Outcome(status: -1, outputs: [:], screens: screens, problem: problem)
  }
}

extension DialogCase.Act {
  /// Returns the act as an answer to a screen; nil if the screen does not offer it.
  package func answer(to question: ProgramQuestion) -> ProgramAnswer? {
    let screen = question.screen
    if event == "back" { return question.allowsBack ? .back : nil }
    var payload: [String: JSONValue] = [:]
    var secrets: [String: [UInt8]] = [:]
    if event == "select" {
      let rows = screen.items ?? []
      guard screen.kind == .list, let items, items.allSatisfy({ rows.indices.contains($0) }) else { return nil }
      let ids = items.map { JSONValue.string(rows[$0].id) }
      if screen.choosing?.count == nil { payload["id"] = ids.first } else { payload["ids"] = .array(ids) }
      return .event(event, payload: payload, secrets: [:])
    }
    let isOffered = screen.actions.contains { $0.id == event }
    guard isOffered || event == "escape" || event == "timeout" else { return nil }
    if event == "ok", let form = screen.form {
      for (index, field) in form.fields.enumerated() {
        let name = field.name
        let entered = fields.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        if field.schema.isSecret {
          secrets[name] = entered.map { ProgramText(latin1: $0).bytes } ?? []
        } else if let entered {
          let text = ProgramText(latin1: entered).string
          if case .integer = field.schema.rule {
            payload[name] = Int64(text).map { .integer($0) }
          } else {
            payload[name] = .string(text)
          }
        } else {
          payload[name] = screen.values[name]
        }
      }
    }
    return .event(event, payload: payload, secrets: secrets)
  }
}

extension Screen {
  /// The screen as keepers tell of it.
  package var told: JSONValue { .object((try? json) ?? [:]) }
}

extension ProgramText {
  /// The bytes as a string in which each scalar is one byte.
  package var latin1: String { String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }

  /// Creates a text from a string in which each scalar is one byte.
  package init(latin1 string: String) { self.init(string.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) }
}
