import CoordinatorKit
import Forms
import Glibc
import Platform
import ScriptEngine

/// What a run is started for.
struct RunOrder: Sendable {
  let script: Script
  let instance: FlowInstance
  let log: ScriptLog
  /// The language of whoever answers; nil if it is not known.
  let language: String?

  /// The input of the flow as JSON.
  var inputText: String { JSONValue.object(log.input).canonicalText }

  /// The variables of a process, which has the run of this number.
  func environment(run number: UInt64, socket: String) -> [String: String] {
    var variables = Self.inherited
    variables["PATH"] = [Self.commands, variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"].compactMap(\.self).joined(
      separator: ":")
    variables["COORDINATOR_SOCKET"] = socket
    variables["COORDINATOR_RUN"] = "\(number)"
    variables["COORDINATOR_LOG"] = "\(ScriptProcess.replayDescriptor)"
    variables["COORDINATOR_FLOW"] = instance.flow
    variables["COORDINATOR_INPUT"] = inputText
    if let language { Self.speak(language, in: &variables) }
    return variables
  }

  /// Makes gettext translate to a language.
  static func speak(_ language: String, in variables: inout [String: String]) {
    variables["LANGUAGE"] = language.split(separator: "-").joined(separator: "_")
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    guard locale == "C" || locale == "POSIX" else { return }
    // In this locale, gettext heeds no LANGUAGE, and prints no letter beyond ASCII (gettext manual, "The LANGUAGE variable").
    variables["LC_ALL"] = nil
    variables["LC_MESSAGES"] = "C.UTF-8"
    variables["LC_CTYPE"] = "C.UTF-8"
  }

  /// The variables of this process, without those that say how it was started.
  static let inherited: [String: String] = {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") { variables[String(text[..<equals])] = String(text[text.index(after: equals)...]) }
      next += 1
    }
    for name in ["DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "INVOCATION_ID"] {
      variables[name] = nil
    }
    return variables
  }()

  /// The directory in which `coordinator-ask` has the name `ask`; nil if there is none.
  static let commands: String? = {
    if let ask = OwnProgram.helper("commands/ask") { return String(ask.dropLast("/ask".count)) }
    return OwnProgram.directory.flatMap { LinkedCommands.directory(of: "\($0)/coordinator-ask") }
  }()
}
