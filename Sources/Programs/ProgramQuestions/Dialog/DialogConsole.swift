/// The inputs and outputs of a call while it is evaluated.
struct DialogConsole {
  /// The inputs that the call has not taken yet.
  private var inputs: ArraySlice<DialogInput>
  /// The maximum number of rows that a screen can have.
  static let mostRows = 10_000
  /// The output of the call so far.
  private var outputs: [CommandResult.Output] = []

  init(inputs: ArraySlice<DialogInput>) { self.inputs = inputs }

  mutating func write(_ text: ProgramText, to descriptor: Int32) {
    guard !text.isEmpty else { return }
    if let last = outputs.indices.last, outputs[last].descriptor == descriptor {
      outputs[last].bytes += text.bytes
    } else {
      outputs.append(.init(text.bytes, to: descriptor))
    }
  }

  /// Ends the call with everything written so far.
  func ended(_ status: Int) -> DialogStep {
    .end(CommandResult(status: UInt8(truncatingIfNeeded: status), outputs: outputs))
  }

  /// Ends the call with coordinatord's own message about a feature that the program supports and coordinatord does not.
  func refused(_ program: String, _ sentence: String) -> DialogStep {
    var console = self
    console.write(ProgramText("\(program): \(sentence)\n"), to: 2)
    return console.ended(255)
  }

  /// Takes the next input.
  ///
  /// - Parameter step: the step that the call needs.
  /// - Returns: the input.
  /// - Throws: `step`, if the call has not received the input yet.
  mutating func take(_ step: DialogStep) throws(DialogStep) -> DialogInput {
    guard let input = inputs.popFirst() else { throw step }
    return input
  }

  /// Asks until an answer fits the box.
  mutating func choose(_ box: DialogBox) throws(DialogStep) -> DialogChoice {
    guard box.items.count <= Self.mostRows else {
      throw refused(box.name, "a list of more than \(Self.mostRows) rows cannot be shown")
    }
    while true {
      guard case .answer(let answer) = try take(.ask(box.question)), let choice = DialogChoice(answer, to: box) else { continue }
      guard let role = choice.unfinished else { return choice }
      let focused = box.asking(role)
      while true {
        guard case .answer(let answer) = try take(.ask(focused.question)) else { continue }
        if answer == .back { break }
        if let choice = DialogChoice(answer, to: focused) { return choice.with(role) }
      }
    }
  }
}
