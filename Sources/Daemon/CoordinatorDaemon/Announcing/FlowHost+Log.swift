import CoordinatorBus
import CoordinatorKit
import DBus
import Logging

/// What the log tells of a flow's life, at `info`: names and numbers, and never what somebody typed or was refused.
extension FlowHost {
  /// Tells of a transition. Costs a look at the level where nobody wants to know.
  ///
  /// - Parameters:
  ///   - publication: what has happened.
  ///   - before: the tree as it was.
  func log(_ publication: Publication, before: TreeState?) {
    guard logger.logLevel <= .info, let flow = flow(of: publication) else { return }
    let fields = Self.fields(of: publication, flow: flow)
    let occasion = publication.occasion
    if let message = occasion.kind.message { logger.info(message, metadata: fields.merging(Self.fields(of: occasion)) { $1 }) }
    for child in publication.started where child.path.parent != nil {
      logger.info("child started", metadata: fields.merging(["path": "\(child.path)", "child": "\(child.flow)"]) { $1 })
    }
    for child in publication.ended where child.path.parent != nil && before?.coordinators[child.path] != nil {
      let end: Logger.Metadata = ["path": "\(child.path)", "child": "\(child.flow)", "outcome": "\(child.outcome.name)"]
      logger.info("child ended", metadata: fields.merging(end) { $1 })
    }
    guard let outcome = publication.state.outcomes[publication.state.root] else { return }
    logger.info("flow ended", metadata: fields.merging(["outcome": "\(outcome.name)"]) { $1 })
  }

  /// Tells of a call that was refused: by whom it was made, and the name of the error. Why it was, may hold what was typed.
  nonisolated func logRefusal(of call: IncomingCall, at path: CoordinatorPath, _ error: CallError) {
    guard logger.logLevel <= .debug else { return }
    logger.debug(
      "call refused",
      metadata: ["coordinator": "\(path.root)", "sender": "\(call.sender)", "error": "\(error.dbusError.name)"])
  }

  private static func fields(of publication: Publication, flow: String) -> Logger.Metadata {
    let root = publication.state.root
    return ["flow": "\(flow)", "coordinator": "\(root.root)", "revision": "\(publication.state.revision)"]
  }

  private static func fields(of occasion: Occasion) -> Logger.Metadata {
    var fields: Logger.Metadata = [:]
    fields["event"] = "\(occasion.kind == .delegate ? occasion.name ?? "" : occasion.kind.rawValue)"
    if let caller = occasion.caller { fields["sender"] = "\(caller.name)" }
    if let screen = occasion.screen { fields["screen"] = "\(screen.number)" }
    if let path = occasion.coordinator, path.parent != nil { fields["path"] = "\(path)" }
    return fields
  }
}

extension Occasion.Kind {
  /// What is said of it; nil if it is not worth a word.
  fileprivate var message: Logger.Message? {
    switch self {
    case .start: "flow started"
    case .delegate: "event"
    case .back: "back"
    case .dismiss: "dismissed"
    case .startChild: "child requested"
    case .draft: nil
    case .work: "work done"
    case .timeout: "timed out"
    case .callerLeft: "caller left"
    case .notResponding: "handler did not return"
    case .notRestored: "not restored"
    }
  }
}
