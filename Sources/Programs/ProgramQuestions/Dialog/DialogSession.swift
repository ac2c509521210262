/// The keeper's side of one call of whiptail or dialog: takes the shim's messages, and returns effects.
///
/// A value without I/O: the keeper transfers the bytes, shows the questions, and passes on the answers.
package struct DialogSession: Sendable, Hashable {
  /// An instruction to the keeper.
  package enum Effect: Sendable, Hashable {
    /// Send bytes to the shim.
    case send([UInt8])
    /// Show a question; ``DialogSession/answer(_:)`` takes its answer.
    case ask(ProgramQuestion)
    /// Show a screen that needs no answer, until the next one. The same name means that the same screen is updated.
    case show(ProgramQuestion)
    /// Withdraw the question: it can no longer be answered.
    case withdraw
    /// Call ``DialogSession/timePassed()`` after some seconds.
    case wait(seconds: Int)
    /// The call has ended; close the connection once everything is sent.
    case end(status: UInt8)
  }

  /// The call; nil until the shim has sent all of it.
  package private(set) var invocation: DialogInvocation?
  private let programTitle: String
  private var call = ShimCall()
  private var reader = ShimReader()
  private var inputs: [DialogInput] = []
  private var step: DialogStep?
  private var feed: DialogFeedReader?

  /// Creates a session with a shim that has just connected.
  ///
  /// - Parameter programTitle: the name of the program for users, which is the title of boxes without one.
  package init(programTitle: String = "") { self.programTitle = programTitle }

  /// The open question; nil if there is none.
  package var question: ProgramQuestion? { if case .ask(let question)? = step { question } else { nil } }

  /// Takes bytes from the shim.
  ///
  /// - Parameter bytes: the received bytes.
  /// - Returns: the effects, in order.
  /// - Throws: ``ShimError``, if the bytes are not valid at this point.
  package mutating func receive(_ bytes: some Sequence<UInt8>) throws(ShimError) -> [Effect] {
    var effects: [Effect] = []
    for message in try reader.read(bytes) { effects += try take(message) }
    return effects
  }

  /// Takes an answer to the open question. Ignores it if no question is open, because the question was answered already.
  ///
  /// - Parameter answer: the answer.
  /// - Returns: the effects, in order; the question again, if the answer does not fit it.
  package mutating func answer(_ answer: ProgramAnswer) -> [Effect] { question == nil ? [] : go(with: .answer(answer)) }

  /// Continues after ``Effect/wait(seconds:)``.
  ///
  /// - Returns: the effects, in order.
  package mutating func timePassed() -> [Effect] {
    if case .show? = step { go(with: .shown) } else { [] }
  }

  private mutating func take(_ message: ShimMessage) throws(ShimError) -> [Effect] {
    guard invocation != nil else {
      guard try call.take(message) else { return [] }
      invocation = call.invocation
      invocation?.programTitle = programTitle
      return go(with: nil)
    }
    switch (message.name, step) {
    case ("content", .read), ("content", .readDescriptor): return go(with: .file(message.bytes))
    case ("failed", .read), ("failed", .readDescriptor): return go(with: .failure(ProgramText(message.bytes)))
    case ("input", .follow):
      return feed?.read(message.bytes).map { [.show($0)] } ?? []
    case ("end", .follow): return go(with: .endOfInput)
    default: throw .unexpected(message.name)
    }
  }

  private mutating func go(with input: DialogInput?) -> [Effect] {
    guard let invocation else { return [] }
    if let input { inputs.append(input) }
    let next = invocation.step(after: inputs)
    step = next
    switch next {
    case .ask(let question): return [.ask(question)]
    case .show(let question, let seconds):
      return [.show(question)] + (seconds > 0 ? [.wait(seconds: seconds)] : go(with: .shown))
    case .follow(let box, let feed):
      let reader = DialogFeedReader(box, feed)
      self.feed = reader
      return [.show(reader.question), .send(ShimMessage("input").encoded)]
    case .read(let path, let file): return [.send(ShimMessage(file.request, path.bytes).encoded)]
    case .readDescriptor(let descriptor): return [.send(ShimMessage("read-descriptor", "\(descriptor)".utf8).encoded)]
    case .end(let result):
      let outputs = result.outputs.flatMap { ShimMessage("output", Array("\($0.descriptor) ".utf8) + $0.bytes).encoded }
      return [.send(outputs + ShimMessage("exit", "\(result.status)".utf8).encoded), .end(status: result.status)]
    }
  }
}
