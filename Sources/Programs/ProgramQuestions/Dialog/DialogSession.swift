import Platform

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

/// A message between the keeper of a program and the shim for whiptail and dialog: a line with a name and a length, and
/// then that many bytes. `Sources/Programs/coordinator-dialog/connection.h` lists them.
package struct ShimMessage: Sendable, Hashable {
  /// The name, such as `argument`.
  package var name: String
  package var bytes: [UInt8]

  /// Creates a message.
  package init(_ name: String, _ bytes: some Sequence<UInt8> = []) { (self.name, self.bytes) = (name, Array(bytes)) }

  /// The message as it is sent.
  package var encoded: [UInt8] { Array("\(name) \(bytes.count)\n".utf8) + bytes }
}

/// An error in a shim's messages. Close the connection.
package enum ShimError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A line is not a name and a length, or a message is too long.
  case malformed
  /// A message that is not valid at this point.
  case unexpected(String)
  /// The shim cannot continue, and gives the reason.
  case failed(String)

  package var description: String {
    switch self {
    case .malformed: "it sent what is no message, or one of more than 16 MiB"
    case .failed(let reason): ForeignText(reason, limit: 1_024).line
    case .unexpected(let name): "it sent '\(ForeignText(name, limit: 32).line)', which has no meaning there"
    }
  }
}

/// Decodes messages from a stream of bytes.
package struct ShimReader: Sendable, Hashable {
  /// The maximum number of bytes of a message.
  package static let longest = 16 << 20
  private static let longestLine = 64

  private var rest: [UInt8] = []

  /// Creates a reader that has read nothing.
  package init() {}

  /// Reads some bytes.
  ///
  /// - Parameter bytes: the received bytes.
  /// - Returns: the messages that are complete now.
  /// - Throws: ``ShimError``.
  package mutating func read(_ bytes: some Sequence<UInt8>) throws(ShimError) -> [ShimMessage] {
    rest += bytes
    var messages: [ShimMessage] = []
    var start = 0
    while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let (name, length) = try Self.line(rest[start..<end])
      guard rest.count - end - 1 >= length else { break }
      let message = ShimMessage(name, rest[(end + 1)..<(end + 1 + length)])
      if message.name == "trouble" { throw .failed(String(decoding: message.bytes, as: UTF8.self)) }
      messages.append(message)
      start = end + 1 + length
    }
    rest.removeFirst(start)
    // An incomplete line has the same limit as a complete one.
    if rest.count > Self.longestLine, !rest.prefix(Self.longestLine + 1).contains(UInt8(ascii: "\n")) { throw .malformed }
    return messages
  }

  private static func line(_ bytes: ArraySlice<UInt8>) throws(ShimError) -> (String, Int) {
    let parts = bytes.split(separator: 0x20, omittingEmptySubsequences: false)
    guard bytes.count <= longestLine, parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      parts[1].allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
      let length = Int(String(decoding: parts[1], as: UTF8.self)), length <= longest
    else { throw .malformed }
    return (String(decoding: parts[0], as: UTF8.self), length)
  }
}

/// Collects the messages of a call.
struct ShimCall: Sendable, Hashable {
  private var program: DialogInvocation.Program?
  private var arguments: [ProgramText] = []
  private var environment: [String: ProgramText] = [:]
  private var size: (lines: Int, columns: Int)? { sizes.count == 2 ? (sizes[0], sizes[1]) : nil }
  private var sizes: [Int] = []
  private var descriptors: Set<Int32>?

  /// The call, once it is complete.
  private(set) var invocation: DialogInvocation?

  /// Takes a message.
  ///
  /// - Parameter message: the message.
  /// - Returns: whether the call is complete.
  /// - Throws: ``ShimError/unexpected(_:)``.
  mutating func take(_ message: ShimMessage) throws(ShimError) -> Bool {
    let text = String(decoding: message.bytes, as: UTF8.self)
    switch message.name {
    case "shim" where program == nil: program = DialogInvocation.Program(rawValue: text)
    case "argument": arguments.append(ProgramText(message.bytes))
    case "variable":
      guard let equals = message.bytes.firstIndex(of: UInt8(ascii: "=")) else { throw .unexpected(message.name) }
      let name = String(decoding: message.bytes[..<equals], as: UTF8.self)
      environment[name] = ProgramText(message.bytes[(equals + 1)...])
    case "size": sizes = text.bytes.split(separator: " ").compactMap { Int($0) }
    case "writable": descriptors = Set(text.bytes.split(separator: " ").compactMap { Int32($0) })
    case "ready":
      guard let program else { throw .unexpected(message.name) }
      var invocation = DialogInvocation(
        program, arguments, environment: environment, lines: size?.lines ?? 24, columns: size?.columns ?? 80)
      invocation.writable = descriptors
      self.invocation = invocation
    default: throw .unexpected(message.name)
    }
    guard message.name == "shim" || program != nil else { throw .unexpected(message.name) }
    return invocation != nil
  }
}
