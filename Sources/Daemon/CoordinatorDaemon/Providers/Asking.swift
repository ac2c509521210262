import CoordinatorBus
import CoordinatorKit
import DBus

/// What has come so far of asking a question. A value that decides; its owner asks.
struct Asking: Sendable {
  typealias Reply = Result<[Value], any Error>

  let question: FlowQuestion
  /// When to give up.
  let end: ContinuousClock.Instant
  /// The connection that died last over the question; nil if none did.
  private(set) var dead: String?
  /// Who was asked last about the event, and how often that has failed.
  private(set) var history: AskingHistory
  /// How long the provider was told that it may take, when it was asked for the first time.
  private(set) var told: Duration?
  private var lastTitle: String?

  /// Creates a question that has not been asked.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - history: what has come of asking about the same event before.
  ///   - end: when to give up.
  init(_ question: FlowQuestion, after history: AskingHistory, until end: ContinuousClock.Instant) {
    (self.question, self.history, self.end) = (question, history, end)
  }

  /// Why nobody can be asked.
  var whyGone: String {
    guard let lastTitle else { return "nothing serves the flow \(question.instance.flow) at the moment" }
    return "\(lastTitle), which served the flow \(question.instance.flow), has left"
  }

  /// Records that a provider is about to be asked.
  ///
  /// A repetition has the same bytes, the deadline included (P6), although there may be less time by then.
  ///
  /// - Returns: how long it may take; nil if the time is up.
  mutating func begin(at now: ContinuousClock.Instant, of provider: ServedFlow) -> Duration? {
    let time = min(provider.flow.deadline, now.duration(to: end))
    guard time > .zero else { return nil }
    told = told ?? time
    history.ask(provider.program)
    return time
  }

  /// Accepts what came of asking once.
  ///
  /// - Parameters:
  ///   - reply: what came of it.
  ///   - provider: who was asked.
  ///   - note: receives each key of the answer that is not known, and is ignored.
  /// - Returns: the answer; nil if the question has to be asked again.
  mutating func take(
    _ reply: Reply, of provider: ServedFlow, noting note: @escaping @Sendable (UnknownKey) -> Void
  ) -> FlowAnswer? {
    let flow = question.instance.flow
    do {
      return .decided(try AnswerDecoder(noting: note).decision(try reply.get()))
    } catch let fault as AnswerDecoder.Fault {
      return .trouble(.failed("the answer of \(provider.title) for the flow \(flow) \(fault)"))
    } catch ConnectionError.timedOut {
      return .trouble(.timeout("\(provider.title) has not decided in time about the flow \(flow)"))
    } catch let error as DBusError where error.isDeath {
      lastTitle = provider.title
      dead = provider.owner
      // The provider has died over another question, while this one waited for its turn.
      guard !error.isAbsence else {
        history.wasNotAsked()
        return nil
      }
      // Among several questions, it is not known which was the fatal one: each is asked again, alone.
      guard history.dies() else {
        return .trouble(.failed("\(provider.title) dies each time that it is asked about the flow \(flow)"))
      }
      return nil
    } catch let error as DBusError {
      if let answer = FlowAnswer(error) { return answer }
      if case .providerFailed(let reason) = ContractError(error) {
        return .trouble(.failed("\(provider.title) failed over the flow \(flow): \(reason)"))
      }
      return .trouble(.failed("\(provider.title) failed over the flow \(flow): \(error.name): \(error.message)"))
    } catch {
      return .trouble(.failed("\(provider.title) cannot be asked about the flow \(flow): \(error)"))
    }
  }
}

extension FlowQuestion {
  /// Why a program may not be asked; nil if it may.
  ///
  /// - Parameters:
  ///   - server: the program that serves the flow now.
  ///   - known: the one that has decided so far.
  /// - Returns: the reason, for people.
  func reasonNotToAsk(_ server: ServingProgram, after known: ServingProgram) -> String? {
    guard server.name == known.name else {
      let name = known.name.isEmpty ? "a connection without a name" : known.name
      return "the flow \(instance.flow) was served by \(name) so far"
    }
    if case .migrate = event { return nil }
    guard server.version == known.version else {
      return "the flow \(instance.flow) is served in version \(server.version) now, and goes on after a migration"
    }
    return nil
  }
}

extension Asking.Reply {
  /// Whether the provider is alive.
  var isAnswer: Bool {
    switch self {
    case .success: true
    case .failure(ConnectionError.timedOut): false
    case .failure: true
    }
  }
}

extension DBusError {
  /// Whether the callee has left the bus, before or during the call. Only the bus can tell: a callee that sends such an error
  /// lives, and has answered.
  var isDeath: Bool { isAbsence || isFromBus && isStandard("NoReply") }

  /// Whether the callee had left the bus before the call.
  var isAbsence: Bool { isFromBus && (isStandard("ServiceUnknown") || isStandard("NameHasNoOwner")) }
}
