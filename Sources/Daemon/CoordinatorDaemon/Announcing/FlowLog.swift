import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Logging
import Platform

/// Logs the life of flows, most of it at `info`: names and numbers, but never user input.
struct FlowLog: Sendable {
  let logger: Logger
  /// The provider failures that were logged, so that repetitions are only counted.
  private let troubles = ToldFailures<CoordinatorPath>()
  /// The unknown keys that were logged, by provider and flow.
  private let unknownKeys = ToldFailures<String>()

  /// Creates a log.
  init(logger: Logger) { self.logger = logger }

  /// Logs a transition. Only checks the level if there is nothing to log.
  ///
  /// - Parameters:
  ///   - publication: the stored transition.
  ///   - flow: the name of the tree's flow; nil if unknown.
  ///   - before: the tree before the transition; nil at its start.
  func log(_ publication: Publication, of flow: @autoclosure () -> String?, before: TreeState?) {
    let root = publication.state.root.root
    troubles.forget { $0.root == root }
    for child in publication.ended where child.path.parent != nil {
      guard case .failed(let failure) = child.outcome else { continue }
      logger.warning(
        "child failed",
        metadata: [
          "coordinator": "\(child.path)", "child": "\(child.flow)", "code": "\(failure.code)", "reason": "\(failure.message)",
        ])
    }
    logFailure(within: publication)
    guard logger.logLevel <= .info, let flow = flow() else { return }
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

  /// Logs failures that did not end a coordinator: of a piece of work, or of the start of a child.
  private func logFailure(within publication: Publication) {
    guard let failure = publication.unendingFailure else { return }
    let path = publication.occasion.coordinator ?? publication.state.root
    logger.warning(
      publication.occasion.kind == .work ? "work failed" : "event failed",
      metadata: ["coordinator": "\(path)", "code": "\(failure.code)", "reason": "\(failure.message)"])
  }

  /// Logs the sender and the error name of a refused call. The reason is not logged, because it may contain user input.
  func logRefusal(of call: IncomingCall, at path: CoordinatorPath, _ error: CallError) {
    logTrouble(error, at: path)
    guard logger.logLevel <= .debug else { return }
    logger.debug(
      "call refused",
      metadata: ["coordinator": "\(path.root)", "sender": "\(call.sender)", "error": "\(error.dbusError.name)"])
  }

  /// Logs the reason why the program behind a flow has not answered, because the caller's renderer only shows that it has not.
  /// Does nothing for another error. Repetitions are logged as counts until the flow continues.
  func logTrouble(_ error: CallError, at path: CoordinatorPath) {
    if case .provider(let trouble) = error { logTrouble(trouble, at: path) }
  }

  /// Logs the reason why the program behind a flow has not answered.
  func logTrouble(_ trouble: ProviderTrouble, at path: CoordinatorPath) {
    switch troubles.add("\(trouble)", of: path) {
    case .first: logger.warning("a provider has failed", metadata: ["coordinator": "\(path)", "reason": "\(trouble)"])
    case .again(let count):
      logger.warning("a provider keeps failing", metadata: ["coordinator": "\(path)", "times": "\(count)"])
    case nil: break
    }
  }

  /// Logs that a provider has sent an unknown key, once per key while the number of keys is limited.
  func logUnknown(_ key: UnknownKey, by provider: String, of flow: String) {
    guard unknownKeys.add(key.key, of: "\(provider) \(flow)") == .first else { return }
    logger.warning(
      "a provider describes screens with a key that is not known here, and is ignored",
      metadata: ["provider": "\(provider)", "flow": "\(flow)", "key": "\(key)"])
  }

  /// Logs the reason why a flow has not started. A refusal by a guard is not a failure.
  func logNotStarted(_ name: String, _ error: CallError) {
    logTrouble(error, at: CoordinatorPath(root: name))
    guard case .failed(let failure) = error else { return }
    logger.warning(
      "flow failed at its start",
      metadata: ["coordinator": "\(name)", "code": "\(failure.code)", "reason": "\(failure.message)"])
  }

  /// Logs the reason why a flow failed; does nothing for another outcome.
  func logFailure(_ outcome: Outcome, of root: LiveRoot) {
    guard case .failed(let failure) = outcome else { return }
    logger.warning(
      "flow failed",
      metadata: [
        "flow": "\(root.request.flow)", "coordinator": "\(root.name)", "code": "\(failure.code)",
        "reason": "\(failure.message)",
      ])
  }

  // MARK: Restoring

  /// Logs that a restart has restored the stored flows, unless there were none, or all of them are damaged.
  func logRestored(_ stored: StoredRoots, held: Int, in time: Duration) {
    guard !stored.live.isEmpty else { return }
    let count = stored.live.count + stored.damaged.count - held
    logger.notice(
      "flows restored",
      metadata: ["flows": "\(count)", "held": "\(held)", "seconds": "\(time / .seconds(1))"])
  }

  /// Logs that a root is left unchanged because of its name.
  func logNameless(_ name: String) {
    logger.error("the name of a stored flow is not a valid object name; left unchanged", metadata: ["coordinator": "\(name)"])
  }

  /// Logs that a tree is held.
  func logHeld(_ name: String, flow: String, reason: String) {
    logger.error("a flow is held", metadata: ["coordinator": "\(name)", "flow": "\(flow)", "reason": "\(reason)"])
  }

  /// Logs that a coordinator of a live tree is held.
  func logHeld(_ path: CoordinatorPath, reason: String) {
    logger.error("a coordinator is held", metadata: ["coordinator": "\(path)", "reason": "\(reason)"])
  }

  /// Logs that a held tree was restored.
  func logRestoredAgain(_ root: StoredRoot) {
    logger.notice("a held flow was restored", metadata: ["coordinator": "\(root.name)", "flow": "\(root.flow)"])
  }

  /// Logs that a held tree was dismissed.
  func logDismissed(_ root: HeldRoot) {
    logger.notice("a held flow was dismissed", metadata: ["coordinator": "\(root.name)", "flow": "\(root.flow)"])
  }

  private static func fields(of publication: Publication, flow: String) -> Logger.Metadata {
    let root = publication.state.root
    return ["flow": "\(flow)", "coordinator": "\(root.root)", "revision": "\(publication.state.revision)"]
  }

  private static func fields(of occasion: Occasion) -> Logger.Metadata {
    var fields: Logger.Metadata = [:]
    fields["event"] = "\(occasion.kind == .delegate ? occasion.name ?? "" : occasion.kind.rawValue)"
    if let caller = occasion.caller { fields["sender"] = "\(caller.name)" }
    if occasion.kind == .dismiss, occasion.name == Occasion.force {
      fields["forced"] = "true"
      if let user = occasion.caller?.user { fields["user"] = "\(user)" }
    }
    if let screen = occasion.screen { fields["screen"] = "\(screen.number)" }
    if let path = occasion.coordinator, path.parent != nil { fields["path"] = "\(path)" }
    return fields
  }
}

extension Occasion.Kind {
  /// The message of the log entry; nil for no entry.
  fileprivate var message: Logger.Message? {
    switch self {
    case .start: "flow started"
    case .delegate: "event"
    case .back: "back"
    case .dismiss: "dismissed"
    case .startChild: "child requested"
    case .language: "language proposed"
    case .draft: nil
    case .work: "work done"
    case .timer: "timer went off"
    case .timeout: "timed out"
    case .callerLeft: "caller left"
    case .workResult: "result or attempt of work stored"
    case .notResponding: "handler did not return"
    case .notRestored: "not restored"
    }
  }
}
