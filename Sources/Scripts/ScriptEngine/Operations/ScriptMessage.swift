import CoordinatorKit
import Forms

/// A message of a script's process to the engine.
package enum ScriptMessage: Sendable, Hashable {
  /// An operation, with the index of its entry in the log.
  case operation(ScriptOperation, entry: Int)
  /// A step, a look or an undo is done.
  case done(JSONValue, entry: Int)
  /// A step, a look or an undo has failed.
  case failed(StepError, entry: Int)
  /// The progress of a step.
  case progress(fraction: Double?, text: String?, entry: Int)
  /// The run is over, after this number of operations, if known.
  case end(ScriptEnd, entry: Int?)
  /// The script has a mistake.
  case crash(ScriptCrash)
}

/// How a script has ended.
package enum ScriptEnd: Sendable, Hashable {
  case finish([String: JSONValue])
  case cancel
  /// The script has failed, with a message for people.
  case fail(code: String, message: String)
  /// An error has occurred that the script does not handle.
  case broken(Breakdown)
  /// The flow starts over with this input and an empty log.
  case again([String: JSONValue])
}

/// An error that ends a flow: its author reads the reason, and the user a sentence without names.
package struct Breakdown: Sendable, Hashable {
  package var code: String
  /// Why, in one line.
  package var reason: String
  /// Where the script was, as lines in the format of its language; "" if unknown.
  package var trace: String

  /// Creates a breakdown.
  package init(_ code: String, _ reason: String, trace: String = "") {
    (self.code, self.reason, self.trace) = (code, reason, trace)
  }
}

/// A mistake of a script, for its author. It does not change the log.
package struct ScriptCrash: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  package var message: String
  /// Where it happened; "" if unknown.
  package var place: String

  /// Where the script was, as lines in the format of its language; "" if unknown.
  package var trace: String

  /// Creates a crash.
  package init(_ message: String, at place: String = "", trace: String = "") {
    (self.message, self.place, self.trace) = (message, place, trace)
  }

  /// One line for people.
  package var description: String { place.isEmpty ? message : "\(message) (\(place))" }
}

extension ScriptMessage {
  /// The index of the entry of the step, the look or the undo that the message ends; nil if it ends none.
  package var endedStep: Int? {
    switch self {
    case .done(_, let entry), .failed(_, let entry): entry
    case .operation, .progress, .end, .crash: nil
    }
  }

  /// Reads a message.
  ///
  /// - Parameter json: the message, an object of the script protocol.
  /// - Throws: ``ScriptCrash`` if it is not one: the script, or the library that it uses, has a mistake.
  package init(json: JSONValue) throws(ScriptCrash) {
    if let crash = json["crash"] {
      let message = [crash["type"]?.string, crash["message"]?.string].compactMap(\.self).joined(separator: ": ")
      self = .crash(
        ScriptCrash(
          message.isEmpty ? "the script has failed" : message, at: crash["at"]?.string ?? "",
          trace: crash["trace"]?.string ?? ""))
      return
    }
    if let end = try ScriptEnd(json: json) {
      self = .end(end, entry: json["entry"]?.integer.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil })
      return
    }
    guard let entry = json["entry"]?.integer.flatMap({ Int(exactly: $0) }), entry >= 0 else {
      throw ScriptCrash("a message has no entry: \(String(json.canonicalText.unicodeScalars.prefix(200)))")
    }
    if let value = json.object?["done"] {
      self = .done(value, entry: entry)
    } else if let error = json["error"] {
      self = .failed(StepError(json: error), entry: entry)
    } else if let progress = json["progress"] {
      self = .progress(fraction: progress["fraction"]?.number, text: progress["text"]?.string, entry: entry)
    } else {
      self = .operation(try ScriptOperation(json: json), entry: entry)
    }
  }
}

extension ScriptEnd {
  /// What the protocol calls it.
  package var word: String {
    switch self {
    case .finish: "finish"
    case .cancel: "cancel"
    case .fail, .broken: "fail"
    case .again: "again"
    }
  }

  /// The end as an object.
  package var json: JSONValue {
    switch self {
    case .finish(let result): ["finish": .object(result)]
    case .cancel: ["cancel": true]
    case .fail(let code, let message): ["fail": ["code": .string(code), "message": .string(message)]]
    case .broken(let breakdown):
      ["fail": ["code": .string(breakdown.code), "message": .string(breakdown.reason), "unhandled": true]]
    case .again(let input): ["again": .object(input)]
    }
  }

  /// Reads an end; nil if the message is something else.
  fileprivate init?(json: JSONValue) throws(ScriptCrash) {
    if let result = json.object?["finish"] {
      guard let result = result.isNull ? [:] : result.object else { throw ScriptCrash("a result is not an object") }
      self = .finish(result)
    } else if json["cancel"]?.boolean == true {
      self = .cancel
    } else if let failure = json["fail"] {
      let (code, message) = (failure["code"]?.string ?? "failed", failure["message"]?.string ?? "")
      self =
        failure["unhandled"]?.boolean == true
        ? .broken(Breakdown(code, message, trace: failure["trace"]?.string ?? "")) : .fail(code: code, message: message)
    } else if let input = json.object?["again"] {
      guard let input = input.isNull ? [:] : input.object else { throw ScriptCrash("an input is not an object") }
      self = .again(input)
    } else {
      return nil
    }
  }
}

extension Breakdown {
  /// The sentence for the user who has answered.
  package var sentence: Text {
    switch code {
    case "no-result": "A step was done, but what has come of it cannot be used."
    case "unknown": "It is not known whether a step was done."
    case "timed-out": "Nobody has answered in time."
    case "too-long": "This has become too long to continue."
    default: "A step has failed."
    }
  }
}
