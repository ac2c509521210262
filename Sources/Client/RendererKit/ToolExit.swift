import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

/// The exit codes of the tools.
public enum ToolExit: Int32, Sendable, Hashable, CaseIterable {
  /// The command succeeded; the flow that it waited for has finished.
  case success = 0
  /// The command failed, or the daemon refused it.
  case error = 1
  /// There is no bus, or no daemon on it.
  case noDaemon = 2
  /// The flow was cancelled.
  case cancelled = 3
  /// The flow has failed.
  case failed = 4
  /// The answers file has no answer for a screen.
  case missingAnswer = 5
  /// The flow had already ended, so the command did not start it and changed nothing.
  case alreadyEnded = 6
  /// The flow shows another screen than the caller expected.
  case stale = 7
  /// The caller may not do this, or the flow does not allow it now.
  case denied = 8
  /// The values do not fit the screen or the flow's input.
  case invalid = 9
  /// There is no flow, flow tree, screen or event of that name.
  case unknown = 10
  /// The time to wait has passed.
  case timedOut = 11
  /// The flow is held: no event reaches it.
  case held = 12
  /// The daemon cannot do this now; the same command may succeed later.
  case unavailable = 13
  /// The command line is invalid (`EX_USAGE` in sysexits(3)).
  case usage = 64
  /// The command was interrupted with Ctrl-C (128 + `SIGINT`).
  case interrupted = 130

  /// The meaning of the exit code, as a phrase for help texts.
  public var meaning: String {
    switch self {
    case .success: "success; if the command waited for a flow, it finished"
    case .error: "the command failed, or the daemon refused it"
    case .noDaemon: "there is no bus, or no coordinatord on it"
    case .cancelled: "the flow was cancelled"
    case .failed: "the flow failed"
    case .missingAnswer: "the answers file has no answer for a screen"
    case .alreadyEnded: "the flow had already ended, and nothing was started or changed"
    case .stale: "the flow shows another screen, or has changed since it was seen"
    case .denied: "the caller may not do this, or the flow does not allow it now"
    case .invalid: "the values do not fit the screen, or the input does not fit the flow"
    case .unknown: "there is no flow, flow tree, screen or event of this name"
    case .timedOut: "the time to wait has passed"
    case .held: "the flow is held; nothing of it is lost"
    case .unavailable: "this may succeed later: a limit, a full disk, or an absent provider"
    case .usage: "the command line is invalid"
    case .interrupted: "interrupted with Ctrl-C"
    }
  }

  /// The name of the failure for programs, in JSON; the name of the daemon's error, if there is one, is more precise.
  public var word: String {
    switch self {
    case .success: "Success"
    case .error: "Failed"
    case .noDaemon: "NoDaemon"
    case .cancelled: "FlowCancelled"
    case .failed: "FlowFailed"
    case .missingAnswer: "MissingAnswer"
    case .alreadyEnded: "AlreadyEnded"
    case .stale: "OtherScreen"
    case .denied: "Denied"
    case .invalid: "InvalidValues"
    case .unknown: "Unknown"
    case .timedOut: "TimedOut"
    case .held: "Held"
    case .unavailable: "Unavailable"
    case .usage: "Usage"
    case .interrupted: "Interrupted"
    }
  }

  /// Returns the section of a help text that lists exit codes.
  public static func help(_ exits: [ToolExit]) -> String {
    let lines = exits.map { exit in
      let code = "\(exit.rawValue)"
      return "  \(code)\(String(repeating: " ", count: 5 - code.utf8.count))\(exit.meaning)"
    }
    return (["EXIT CODES"] + lines).joined(separator: "\n")
  }
}

extension JSONValue {
  /// Encodes an error of a call: its D-Bus name, its message, and its details.
  public init(_ error: ClientError) {
    var object: [String: JSONValue] = ["message": .string(error.description)]
    switch error {
    case .refused(let refusal):
      object["name"] = .string(refusal.dbusError.name)
      if !refusal.reasons.isEmpty { object["fields"] = .object(refusal.reasons.mapValues(JSONValue.string)) }
      if case .staleScreen(_, let why) = refusal { object["why"] = .string(why.rawValue) }
      if case .flowFailed(_, let code, _) = refusal { object["code"] = .string(code) }
    case .failed(let failure): object["name"] = .string(failure.name)
    case .connection: object["name"] = "NoBus"
    case .noDaemon: object["name"] = .string(ToolExit.noDaemon.word)
    case .malformedAnswer: object["name"] = "MalformedReply"
    case .cancelled: object["name"] = .string(ToolExit.interrupted.word)
    }
    self = ["error": .object(object)]
  }
}

extension JSONValue {
  /// The value as users write it: a string without quotation marks, everything else as JSON.
  package var plainText: String {
    switch self {
    case .string(let text): text.printable
    case .array(let elements) where elements.allSatisfy({ $0.string != nil }):
      elements.map(\.plainText).joined(separator: ", ")
    default: canonicalText.printable
    }
  }
}
