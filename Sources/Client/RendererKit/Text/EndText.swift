import CoordinatorBus
import CoordinatorClient
import Languages

extension FlowEnd {
  /// The sentence about the end of a flow, for people.
  public var sentence: String {
    switch self {
    case .finished: Text("The flow has finished.").string
    case .cancelled: Text("The flow was cancelled.").string
    case .stopped: Text("The program that runs the flow was stopped, and the flow has ended with it.").string
    case .failed(let code, _, isTechnical: true): Self.sentence(ofFailure: code)
    case .failed(let code, let message, _):
      Text("The flow has failed ({code}): {message}", ["code": code.printable, "message": message.printable]).string
    case .lost: Text("The flow is gone; its outcome is no longer known.").string
    }
  }

  /// Returns the sentence for people that states only the failure of a flow.
  static func sentence(ofFailure code: String) -> String {
    Text("The flow has failed ({code}).", ["code": code.printable]).string
  }

  /// The sentence, and the result by the names of its members, as scripts know them, or the reason of the failure. For people,
  /// see ``EndSummary/lines``.
  public var lines: [String] {
    switch self {
    case .finished(let result):
      [sentence] + result.sorted { $0.key < $1.key }.map { "  \($0.key.printable): \($0.value.plainText)" }
    case .failed(_, let message, isTechnical: true): [sentence, "  \(message.printable)"]
    case .failed, .cancelled, .stopped, .lost: [sentence]
    }
  }

  /// The exit code of a tool that has followed a flow to its end.
  public var exitCode: ToolExit {
    switch self {
    case .finished: .success
    case .cancelled: .cancelled
    case .stopped: .noDaemon
    case .failed: .failed
    case .lost: .error
    }
  }
}

extension FlowEnd {
  /// Returns a sentence that says how a flow has ended.
  ///
  /// - Parameter title: title of the flow.
  /// - Returns: the sentence, for users.
  public func sentence(of title: String) -> String {
    let title = title.printable
    return switch self {
    case .finished: Text("{flow} has finished.", ["flow": title]).string
    case .cancelled: Text("{flow} was cancelled.", ["flow": title]).string
    case .stopped: Text("{flow} has ended, because the service was stopped.", ["flow": title]).string
    case .failed(_, _, isTechnical: true): Text("{flow} has failed.", ["flow": title]).string
    case .failed(_, let message, _): Text("{flow} has failed: {reason}", ["flow": title, "reason": message.printable]).string
    case .lost: Text("{flow} is gone; how it ended is no longer known.", ["flow": title]).string
    }
  }
}

extension Answer {
  /// A sentence for users of other renderers of the same flow: "Answered in the browser."
  public var sentence: String { sentence(inKind: "") }

  /// Returns a sentence for users of a renderer of the given kind, which calls a renderer of the same kind another one:
  /// "Answered in another terminal (pts/3, anna)."
  public func sentence(inKind own: String) -> String {
    let name = String(name.printable.prefix(48))
    let text: Text =
      switch (kind, name.isEmpty) {
      case ("", _): Text("Answered elsewhere.")
      case ("terminal", true): own == kind ? Text("Answered in another terminal.") : Text("Answered in the terminal.")
      case ("terminal", false):
        own == kind
          ? Text("Answered in another terminal ({name}).", ["name": name])
          : Text("Answered in the terminal ({name}).", ["name": name])
      case ("web", true): Text("Answered in the browser.")
      case ("web", false): Text("Answered in the browser ({name}).", ["name": name])
      default: Text("Answered in {name}.", ["name": name.isEmpty ? kind.printable : name])
      }
    return text.string
  }
}
