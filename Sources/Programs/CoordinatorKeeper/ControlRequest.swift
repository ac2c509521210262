import CoordinatorKit
import Forms
import ProgramQuestions

/// A request of the engine or a tool.
enum ControlRequest: Sendable, Hashable {
  /// Requests the changes since a sequence number.
  case watch(UInt64)
  /// Answers a question.
  case answer(String, ProgramAnswer)
  /// Cancels a long operation of the program.
  case cancel
  /// Ends the program; or, after its end, acknowledges the end.
  case end

  /// Reads a line.
  ///
  /// - Parameter line: the line without its line feed.
  /// - Throws: ``ControlError``.
  init(_ line: [UInt8]) throws(ControlError) {
    let split = try SecretMembers.split(line)
    guard let request = try? JSONValue(parsing: split.rest), request.object != nil else {
      throw .malformed
    }
    if let sequence = request["watch"] {
      guard let number = sequence.integer.flatMap({ UInt64(exactly: $0) }) else { throw .unsuitable("watch") }
      self = .watch(number)
    } else if let id = request["answer"] {
      guard let id = id.string else { throw .unsuitable("answer") }
      guard let event = request["event"]?.string else { throw .unsuitable("event") }
      let payload = request["payload"] ?? [:]
      guard let members = payload.object else { throw .unsuitable("payload") }
      self = .answer(id, .event(event, payload: members, secrets: split.secrets))
    } else if let id = request["back"] {
      guard let id = id.string else { throw .unsuitable("back") }
      self = .answer(id, .back)
    } else if let cancel = request["cancel"] {
      guard cancel.boolean == true else { throw .unsuitable("cancel") }
      self = .cancel
    } else if let end = request["end"] {
      guard end.boolean == true else { throw .unsuitable("end") }
      self = .end
    } else {
      throw .unknown
    }
  }
}

/// Encodes the keeper's messages to the engine or a tool.
enum ControlReply {
  /// Returns a message as a line.
  static func line(_ message: JSONValue) -> [UInt8] { Array("\(message.text(omittingNulls: false))\n".utf8) }

  /// Returns the first message of a connection.
  static func hello(_ program: ProgramDescription, sequence: UInt64, state: String) -> JSONValue {
    [
      "program": .string(program.id), "title": .string(program.title),
      "arguments": .array(program.arguments.map { .string($0) }), "user": .integer(Int64(program.user)),
      "run": .string(program.run), "sequence": .integer(Int64(clamping: sequence)), "state": .string(state), "protocol": 1,
    ]
  }

  /// Returns the message with a question.
  static func question(_ open: OpenQuestion, of program: ProgramDescription, sequence: UInt64) -> JSONValue {
    var question: [String: JSONValue] = [
      "id": .string(open.id.text(of: program)), "screen": screen(open.question.screen),
      "back": .boolean(open.question.allowsBack),
    ]
    question["timeout"] = open.question.timeout.map { .integer(Int64($0)) }
    return ["sequence": .integer(Int64(clamping: sequence)), "question": .object(question)]
  }

  /// Returns a screen as JSON. A program's screen contains only texts and whole numbers, which JSON can represent.
  static func screen(_ screen: Screen) -> JSONValue { .object((try? screen.json) ?? [:]) }

  /// Returns the confirmation that an answer was accepted.
  static func taken(_ id: String) -> JSONValue { ["taken": .string(id)] }
  static func stale(_ id: String) -> JSONValue { ["stale": .string(id)] }
  static func refused(_ id: String, _ reason: String) -> JSONValue { ["refused": .string(id), "reason": .string(reason)] }

  /// Returns the reply to an invalid request.
  static func error(_ error: ControlError) -> JSONValue { ["error": .string("\(error)")] }
}

/// The reason why a line of the control protocol is invalid. The keeper then closes the connection.
enum ControlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line is not a JSON object.
  case malformed
  /// No member contains a request.
  case unknown
  /// A member has an invalid value.
  case unsuitable(String)
  /// The client has not sent a request in time.
  case silent

  var description: String {
    switch self {
    case .malformed: "a request must be a JSON object on one line"
    case .unknown: "a request needs one of 'watch', 'answer', 'back', 'cancel' and 'end'"
    case .silent: "nothing was asked for, so the connection ends; connect again"
    case .unsuitable(let member): "'\(member)' has a value that it cannot have"
    }
  }
}

/// Extracts the values of secrets from a request before it is decoded, so that they are only ever in arrays of bytes.
enum SecretMembers {
  /// Splits a line.
  ///
  /// - Parameter line: a JSON object.
  /// - Returns: the line with an empty object in place of the member `secrets`, and the members of that object.
  /// - Throws: ``ControlError``, if the member is not an object of strings.
  static func split(_ line: [UInt8]) throws(ControlError) -> (rest: [UInt8], secrets: [String: [UInt8]]) {
    var cursor = Cursor(line)
    guard try cursor.findMember("secrets") else { return (line, [:]) }
    let start = cursor.position
    var secrets: [String: [UInt8]] = [:]
    try cursor.expect("{")
    if !cursor.skip("}") {
      repeat {
        let name = try cursor.string()
        try cursor.expect(":")
        secrets[String(decoding: name, as: UTF8.self)] = try cursor.string()
      } while cursor.skip(",")
      try cursor.expect("}")
    }
    return (line[..<start] + Array("{}".utf8) + line[cursor.position...], secrets)
  }
}

/// A position in a line of JSON. It parses only as much as needed to find a member of the object.
private struct Cursor {
  private let line: [UInt8]
  private(set) var position = 0

  init(_ line: [UInt8]) { self.line = line }

  private var next: UInt8? { position < line.count ? line[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0D].contains(byte) { position += 1 }
  }

  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ sign: Unicode.Scalar) throws(ControlError) {
    guard skip(sign) else { throw position < line.count ? .unsuitable("secrets") : .malformed }
  }

  /// Moves to the value of a member of the object; returns whether there is one.
  mutating func findMember(_ name: String) throws(ControlError) -> Bool {
    var depth = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let text = try string()
        // In an object, only a name is followed by a colon.
        if depth == 1, text.elementsEqual(name.utf8), skip(":") {
          skipBlanks()
          return true
        }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
    }
    return false
  }

  /// Reads a string as UTF-8.
  mutating func string() throws(ControlError) -> [UInt8] {
    try expect("\"")
    var bytes: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return bytes
      case UInt8(ascii: "\\"): try escape(into: &bytes)
      default: bytes.append(byte)
      }
    }
    throw .malformed
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(ControlError) {
    guard let byte = next else { throw .malformed }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"):
      var value = try unit()
      if value & 0xFC00 == 0xD800, next == UInt8(ascii: "\\"), position + 1 < line.count, line[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        let low = try unit()
        guard low & 0xFC00 == 0xDC00 else { throw .malformed }
        value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
      }
      guard let scalar = Unicode.Scalar(value) else { throw .malformed }
      bytes += Array(Unicode.UTF8.encode(scalar).map(Array.init) ?? [])
    default: throw .malformed
    }
  }

  private mutating func unit() throws(ControlError) -> UInt32 {
    guard position + 4 <= line.count,
      let value = UInt32(String(decoding: line[position..<(position + 4)], as: UTF8.self), radix: 16)
    else { throw .malformed }
    position += 4
    return value
  }
}
