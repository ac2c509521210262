import CoordinatorBus
import CoordinatorKit
import DBus

/// A call of `StartFlow` or `RunFlow` that has not been answered.
struct StartWaiter: Sendable {
  /// The method, which determines when to reply: when the flow has started, or when it has ended.
  enum Kind: Sendable { case started, ended }
  let kind: Kind
  let call: IncomingCall

  /// Replies with the paths of a flow that has started.
  func answer(startOf root: CoordinatorPath) { call.reply(Self.paths(of: root)) }

  /// Replies once the flow has ended: to `StartFlow` with its paths, to `RunFlow` with its outcome.
  ///
  /// - Parameters:
  ///   - root: the path of the flow's root.
  ///   - outcome: its outcome, in the form that clients receive.
  func answer(endOf root: CoordinatorPath, _ outcome: ToldOutcome) {
    switch kind {
    case .started: answer(startOf: root)
    case .ended: call.reply(outcome.values)
    }
  }

  private static func paths(of root: CoordinatorPath) -> [Value] { [.objectPath(root.objectPath), .objectPath(root.routerPath)] }
}

extension [StartWaiter] {
  /// Replies to all calls that wait for a flow that has ended. If the replies take much memory, they are sent in turn.
  ///
  /// - Parameters:
  ///   - root: the flow's root before its end.
  ///   - outcome: its outcome.
  func answer(endOf root: LiveRoot, _ outcome: ToldOutcome) {
    let path = root.state.root
    let inTurn = outcome.mustBeSentInTurn(to: count)
    for waiter in self {
      guard inTurn, waiter.kind == .ended else {
        waiter.answer(endOf: path, outcome)
        continue
      }
      waiter.call.reply(inTurn: { () throws(DBusError) in
        LargeAnswer(key: "end of \(path)", stamp: root.sequence) { outcome.values }
      })
    }
  }
}

extension IncomingCall {
  /// Returns the caller, as recorded in the history.
  ///
  /// - Parameters:
  ///   - way: the way in which the call came, as the caller says; nil if it does not say so.
  ///   - clients: the clients of the called tree. The kind of an attached renderer is the way in which its calls come.
  /// - Returns: the caller.
  func caller(_ way: String?, among clients: RootClients? = nil) -> Caller {
    let kind = clients?.renderers[sender]?.kind ?? ""
    return Caller(user: credentials?.user, name: sender, way: way ?? (kind.isEmpty ? nil : kind))
  }

  /// Replies with a tree's answer.
  func answer(_ result: Result<TreeAnswer, CallError>, to asked: TreeCall) {
    if case (.saveDraft, .success) = (asked, result) { return reply() }
    switch result {
    case .success(.revision(let revision)): reply([.uint64(revision)])
    case .success(.child(let path)): reply([.objectPath(path.objectPath)])
    case .failure(let error): fail(error.dbusError)
    }
  }
}

extension CallError {
  /// The error as it is sent on the bus.
  var dbusError: DBusError {
    switch self {
    case .unknownCoordinator(let path): .unknownObject("there is no coordinator \(path.objectPath); it may have ended")
    case .requestReused(let key): .invalidArgs("the request key '\(key)' was already used for another call")
    case .unknownScreen(let id): ContractError.unknownScreen(id.number).dbusError
    case .staleScreen(let id, let why): ContractError.staleScreen(id.number, why: why).dbusError
    case .unknownEvent(let unknown): ContractError.unknownEvent(unknown).dbusError
    case .invalidPayload(let reasons): ContractError.invalidPayload(reasons).dbusError
    case .refused(let refusal): refusal.dbusError
    case .provider(.gone(let reason)): ContractError.providerGone(message: reason).dbusError
    case .provider(.timeout(let reason)): ContractError.providerTimeout(message: reason).dbusError
    case .provider(.failed(let reason)): ContractError.providerFailed(message: reason).dbusError
    case .held(let path, let reason):
      ContractError.held(message: "the coordinator \(path.objectPath) is held: \(reason)").dbusError
    case .failed(let failure): ContractError.flowFailed(failure).dbusError
    case .notStored(let reason): ContractError.notStored(message: reason).dbusError
    }
  }
}

extension DBusError {
  /// Returns the error for a token that belongs to another flow or another input.
  static func tokenInUse(_ token: String) -> DBusError { ContractError.tokenInUse(token).dbusError }

  /// Returns the error for `Forget` with a token whose flow has not ended.
  static func stillRunning(_ token: String) -> DBusError {
    ContractError.tokenInUse(message: "the flow of the token '\(token)' is still running; dismiss it first").dbusError
  }

  /// Returns the error for a flow of which at most one instance runs at a time.
  static func alreadyRunning(_ flow: String, as name: String) -> DBusError {
    ContractError.alreadyRunning(message: "the flow '\(flow)' is already running as '\(name)', and runs only once at a time")
      .dbusError
  }

  /// The error for a call of a provider into a tree that waits for that provider.
  static var wouldWait: DBusError {
    ContractError.wouldWait(
      message: "the flow waits for an answer of the caller, which serves it: call after the answer, or from work"
    ).dbusError
  }

  /// Returns the error for a tree that is held for a reason, so that no event reaches it.
  static func held(_ reason: String) -> DBusError { ContractError.held(because: reason).dbusError }
}

extension Outcome {
  /// The approximate size of the result on the bus, in bytes.
  var roughSize: Int {
    if case .finished(let result) = self { JSONValue.object(result).roughSize } else { 256 }
  }

  /// The result in the form in which it is sent on the bus. For a failed coordinator, this is the code and message of the
  /// failure, and `technical` if the message is not for users.
  var resultValue: Value {
    switch self {
    case .finished(let result): (try? .object(result)) ?? .vardict([:])
    case .cancelled: .vardict([:])
    case .failed(let failure):
      .vardict(
        ["code": .string(failure.code), "message": .string(failure.message)]
          .merging(failure.isTechnical ? ["technical": .boolean(true)] : [:]) { $1 })
    }
  }
}
