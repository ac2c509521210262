import CoordinatorKit
import Forms
import ScriptEngine

/// One coordinator of a flow that is played without a daemon: what the daemon would store of it. A value.
package struct PlayedFlow: Sendable {
  package let script: Script
  package let instance: FlowInstance
  package let input: [String: JSONValue]
  /// The log as text; "" before the start.
  package var state = ""
  /// The keys of the screens, bottom first.
  package var screens: [String] = []
  /// What the screens show, by key.
  package var contents: [String: DescribedScreen] = [:]
  /// The number of each screen, by key.
  package var numbers: [String: UInt64] = [:]
  package var work: [PlayedWork] = []
  /// When timers are over, in microseconds since 1970, by key.
  package var timers: [String: UInt64] = [:]
  /// Secrets that are kept for a step, by name.
  package var secrets: [String: Secret] = [:]
  /// Children that have been ordered and have not ended.
  package var children: [PlayedChild] = []

  init(_ script: Script, path: CoordinatorPath, input: [String: JSONValue], startedAt: UInt64) {
    (self.script, self.input) = (script, input)
    instance = FlowInstance(flow: script.name, path: path, startedAt: startedAt)
  }

  /// The log; nil before the start.
  package var log: ScriptLog? {
    guard let json = try? JSONValue(parsing: state.utf8) else { return nil }
    return try? ScriptLog(json: json)
  }

  /// The log with what an event tells.
  ///
  /// - Parameter event: the event.
  /// - Returns: the log; nil if the script does not go on from there.
  package func log(after event: FlowQuestion.Event) -> ScriptLog? {
    guard var log = event == .start ? ScriptLog(input: input) : log else { return nil }
    switch log.take(event).verdict {
    case .goOn, .goOnRunning: return log
    case .tryAgain, .rerun, .end, .refused, .noted, .nothing: return nil
    }
  }

  /// The key of the question that waits for an answer; nil if none does.
  package var openQuestion: String? {
    guard let log, let key = log.shownQuestion, log.undoing == nil, screens.last == key,
      log.entries.last(where: { $0.key == key })?.isOpen == true
    else { return nil }
    return key
  }

  /// What is asked of the script about an event.
  func question(_ event: FlowQuestion.Event, turn: UInt64, now: UInt64) -> FlowQuestion {
    var context = FlowQuestion.Context(input: input, now: now)
    context.screens = screens
    context.children = children.map(\.child)
    context.work = work.map(\.work.id)
    context.secrets = secrets.keys.sorted()
    return FlowQuestion(event, of: instance, turn: turn, state: state, in: context)
  }
}

/// A piece of work that has begun, or is to be begun.
package struct PlayedWork: Sendable {
  package let work: ProvidedWork
  package let secrets: [String: Secret]

  /// What is to be done.
  package var argument: WorkArgument? { WorkArgument(work.argument) }
}

/// A child that a script has started.
package struct PlayedChild: Sendable, Hashable {
  package let child: Child
  /// The name of the operation that has started it.
  package let name: String
  /// Whether it is played itself, rather than stood for.
  package var isPlayed = false
}
