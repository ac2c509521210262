import Forms
import ProgramQuestions

/// Acts as debconf: sends lines to a connection, and records the replies.
struct DebconfPeer {
  var connection: DebconfConnection
  var memory: DebconfMemory
  /// The replies, without their line breaks.
  private(set) var replies: [String] = []
  private(set) var blocks: [DebconfBlock] = []
  private(set) var progress: [DebconfProgress?] = []
  private(set) var sections: [String] = []
  private(set) var withdrawn: [Int] = []

  init(package: String = "", memory: DebconfMemory = DebconfMemory()) {
    (connection, self.memory) = (DebconfConnection(package: package), memory)
  }

  /// Sends lines.
  ///
  /// - Returns: the replies to them.
  @discardableResult
  mutating func send(_ lines: String...) -> [String] {
    let count = replies.count
    for line in lines { take(connection.receive(Array((line + "\n").utf8), recalling: memory)) }
    return Array(replies[count...])
  }

  /// Describes a question and sends its `INPUT`.
  mutating func input(
    _ tag: String, _ type: String, _ description: String = "Question", details: String = "", choices: String? = nil,
    set: String? = nil
  ) {
    send("DATA \(tag) type \(type)", "DATA \(tag) description \(description)")
    if !details.isEmpty { send("DATA \(tag) extended_description \(details)") }
    if let choices { send("DATA \(tag) choices \(choices)") }
    if let set { send("SET \(tag) \(set)") }
    send("INPUT high \(tag)")
  }

  /// Sends `GO`, and gives an answer to the block that is then open.
  ///
  /// - Returns: the reply.
  @discardableResult
  mutating func go(_ answer: ProgramAnswer) throws -> String? {
    send("GO")
    return try self.answer(answer)
  }

  /// Gives an answer to the open block.
  ///
  /// - Returns: the reply to `GO`.
  @discardableResult
  mutating func answer(_ answer: ProgramAnswer) throws -> String? {
    let id = connection.openBlock?.id ?? -1
    let count = replies.count
    take(try connection.answer(answer, to: id, remembering: &memory))
    return count < replies.count ? replies[count] : nil
  }

  mutating func close() { take(connection.close()) }

  /// The block that was asked last.
  var block: DebconfBlock? { blocks.last }
  /// Its screen.
  var screen: JSONValue { blocks.last?.question.told ?? [:] }

  private mutating func take(_ effects: [DebconfEffect]) {
    for effect in effects {
      switch effect {
      case .reply(let bytes):
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        replies += lines.map(String.init)
      case .ask(let block): blocks.append(block)
      case .section(let section, _): sections.append(section)
      case .progress(let value): progress.append(value)
      case .withdraw(let id): withdrawn.append(id)
      }
    }
  }
}

extension ProgramAnswer {
  /// The answer "OK" of a form or a message.
  static func okay(_ payload: [String: JSONValue] = [:], secrets: [String: String] = [:]) -> ProgramAnswer {
    .event("okay", payload: payload, secrets: secrets.mapValues { Array($0.utf8) })
  }

  /// The choice of an item of a list.
  static func select(_ id: String) -> ProgramAnswer { .event("select", payload: ["id": .string(id)], secrets: [:]) }

  /// The choice of items of a list.
  static func select(all ids: [String]) -> ProgramAnswer {
    .event("select", payload: ["ids": .array(ids.map { .string($0) })], secrets: [:])
  }

  /// An action without a payload.
  static func action(_ id: String) -> ProgramAnswer { .event(id, payload: [:], secrets: [:]) }
}
