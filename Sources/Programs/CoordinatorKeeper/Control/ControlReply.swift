import CoordinatorKit
import Forms

/// Encodes the keeper's messages to the engine or a tool.
enum ControlReply {
  /// Returns a message as a line.
  static func line(_ message: JSONValue) -> [UInt8] { Array("\(message.text(omittingNulls: false))\n".utf8) }

  /// Returns the first message of a connection.
  static func hello(_ program: KeptProgram, sequence: UInt64, state: String) -> JSONValue {
    [
      "program": .string(program.id), "title": .string(program.title),
      "arguments": .array(program.arguments.map { .string($0) }), "user": .integer(Int64(program.user)),
      "run": .string(program.run), "sequence": .integer(Int64(clamping: sequence)), "state": .string(state), "protocol": 1,
    ]
  }

  /// Returns the message with a question.
  static func question(_ open: OpenQuestion, of program: KeptProgram, sequence: UInt64) -> JSONValue {
    var question: [String: JSONValue] = [
      "id": .string(open.id.text(of: program)), "screen": screen(open.question.screen),
      "back": .boolean(open.question.allowsBack),
    ]
    question["timeout"] = open.question.timeout.map { .integer(Int64($0)) }
    return ["sequence": .integer(Int64(clamping: sequence)), "question": .object(question)]
  }

  /// A screen. What a program shows consists of texts and whole numbers, which JSON has room for.
  static func screen(_ screen: Screen) -> JSONValue { .object((try? screen.json) ?? [:]) }

  /// The answer to an answer.
  static func taken(_ id: String) -> JSONValue { ["taken": .string(id)] }
  static func stale(_ id: String) -> JSONValue { ["stale": .string(id)] }
  static func refused(_ id: String, _ reason: String) -> JSONValue { ["refused": .string(id), "reason": .string(reason)] }

  /// Returns the reply to an invalid request.
  static func error(_ error: ControlError) -> JSONValue { ["error": .string("\(error)")] }
}
