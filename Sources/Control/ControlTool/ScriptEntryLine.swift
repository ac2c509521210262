import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import RendererKit
import ScriptEngine

/// An entry of a script's log for people.
struct ScriptEntryLine: Sendable {
  /// The columns: the number, the time, the operation, and the recorded result.
  let columns: [String]
  /// The same information as JSON.
  let json: JSONValue

  /// Describes an entry.
  ///
  /// - Parameters:
  ///   - entry: entry of the log.
  ///   - number: its number, from 1.
  ///   - suggestion: dropped answer that is suggested.
  ///   - secondsFromGMT: seconds by which the reader's clock is ahead of UTC; nil for that of the system.
  init(_ entry: LogEntry, number: Int, suggestion: RecordedAnswer?, secondsFromGMT: Int?) {
    let word = entry.body.word
    var what = "\(word) \(entry.key)"
    if let step = entry.step, step.attempts > 1 { what += " (attempt \(step.attempts))" }
    var result = entry.result
    if let suggestion, entry.isOpen { result += "; suggested: \(suggestion.text)" }
    if !entry.place.isEmpty { result += "  (\(entry.place))" }
    columns = [
      "\(number)", entry.time.map { CalendarTime(microseconds: $0, secondsFromGMT: secondsFromGMT).text } ?? "", what.printable,
      result.printable,
    ]
    var object = entry.json.object ?? [:]
    (object["digest"], object["form"], object["cancels"], object["output"], object["work"]) = (nil, nil, nil, nil, nil)
    object["open"] = entry.isOpen ? true : nil
    json = .object(object)
  }
}

extension LogEntry {
  /// The recorded result, in a few words.
  fileprivate var result: String {
    switch body {
    case .ask(let ask): ask.answer?.text ?? "is asked"
    case .step(let step):
      switch step.ending {
      case .done(let value): Self.text(of: value)
      case .failed(let error): "failed, \(error.type): \(error.message)\(error.rest["cut"] == true ? " (output cut)" : "")"
      case nil: step.attempts > 0 ? "is being done" : "is to be done"
      }
    case .value(let value): value.plainText
    case .child(let child):
      switch child.ending {
      case .finished(let result): "finished \(JSONValue.object(result).canonicalText)"
      case .cancelled: "cancelled"
      case .failed(let error): "failed, \(error.type): \(error.message)"
      case nil: "\(child.flow) is running"
      }
    case .timer(let timer): timer.isOver ? "over" : "is waited for"
    case .patch: "marked"
    }
  }

  /// Returns the result of a step. That of a shell command is its output.
  private static func text(of value: JSONValue) -> String {
    guard let status = value["status"]?.integer else { return value == .null ? "done" : "done: \(value.plainText)" }
    let lines = (value["output"]?.string ?? "").bytes.split(separator: "\n")
    let output = lines.isEmpty ? "" : ": \(lines[0])\(lines.count > 1 ? " … (\(lines.count) lines)" : "")"
    let cut = value["cut"] == true ? " (output cut)" : ""
    return (status == 0 ? "done\(output)" : "status \(status)\(output)") + cut
  }
}

extension RecordedAnswer {
  /// The answer. Logs contain no secrets.
  fileprivate var text: String {
    switch self {
    case .timeout: return "nobody has answered"
    case .event(let event, let payload):
      guard !payload.isEmpty else { return event }
      let values = payload.mapValues { $0["secret"]?.boolean == true ? JSONValue.string("•••") : $0 }
      return "\(event) \(JSONValue.object(values).canonicalText)"
    }
  }
}

/// A running coordinator whose flow is a script, for its author and for administrators.
struct ScriptTree: Sendable {
  private static let object: ObjectPath = "/org/coordinatord/Scripts1"
  private static let interface = "org.coordinatord.Scripts1"
  /// The event that carries an administrator's command to the script's program.
  private static let orderEvent = "drop-last"

  private let session: ToolSession
  /// The path of the coordinator.
  let path: ObjectPath

  /// Finds a coordinator.
  ///
  /// - Parameters:
  ///   - text: flow tree, or path of a child; nil for the only active tree.
  ///   - session: session with the daemon.
  /// - Throws: ``ToolFailure``.
  init(_ text: String?, _ session: ToolSession) async throws(ToolFailure) {
    self.session = session
    path = try await session.coordinator(text)
  }

  /// The name of the coordinator for people.
  var name: String { path.elements.dropFirst(Contract.flowsPath.elements.count).joined(separator: "/") }

  /// Reads the log as the daemon has stored it.
  ///
  /// - Throws: ``ToolFailure``, also if the flow is not a script.
  func log() async throws(ToolFailure) -> (json: JSONValue, log: ScriptLog) {
    let text = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.readState(path) }
    guard let json = try? JSONValue(parsing: text.utf8),
      json["format"]?.string == ScriptLog.format, let log = try? ScriptLog(json: json)
    else { throw ToolFailure(["'\(name.printable)' is not a script that this version knows"]) }
    return (json, log)
  }

  /// Reads the name of the flow, and the reason why the coordinator is held.
  ///
  /// - Throws: ``ToolFailure``.
  func details() async throws(ToolFailure) -> (flow: String, held: String?) {
    let details = try await session.doing { () async throws(ClientError) in
      try await session.daemon.coordinator(path).details()
    }
    return (details.flow, details.held)
  }

  /// Reads the last lines of the script's output; none if the program that executes scripts is not running.
  func output() async -> [String] {
    let reply = try? await session.daemon.connection.call(call("ReadOutput"))
    return reply?.first?.elements?.compactMap(\.string) ?? []
  }

  /// Drops the last answer, and all entries since.
  ///
  /// - Throws: ``ToolFailure``.
  func dropLast() async throws(ToolFailure) {
    do {
      _ = try await session.daemon.connection.call(call("DropLast"))
    } catch {
      throw ToolFailure(["the program that executes scripts did not take the order: \(error)"])
    }
    do {
      _ = try await session.namedDaemon.coordinator(path).delegate(screen: 0, event: Self.orderEvent)
    } catch {
      // A held coordinator accepts no new event, only the one that it is held at. It is also held while the daemon still
      // retries; the reason is then the error.
      guard try await details().held != nil else { throw ToolFailure(error) }
      _ = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.retryHeld() }
    }
  }

  private func call(_ member: String) -> MethodCall {
    MethodCall(
      destination: Contract.scriptsName, path: Self.object, interface: Self.interface, member: member,
      arguments: [.objectPath(path)],
      autoStart: false)
  }
}
