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
