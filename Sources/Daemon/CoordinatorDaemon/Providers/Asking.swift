import CoordinatorBus
import CoordinatorKit
import DBus

/// The attempts to ask a question. A value that makes decisions; its owner asks.
struct Asking: Sendable {
  typealias Reply = Result<[Value], any Error>

  let question: FlowQuestion
  /// The time until which to ask.
  let end: ContinuousClock.Instant
  /// The connection that most recently died while it handled the question; nil if none did.
  private(set) var dead: String?
  /// The program that was last asked about the event, and its failures.
  private(set) var history: AskingHistory
  /// The maximum time that was sent to the provider when it was asked for the first time.
  private(set) var told: Duration?
  private var lastTitle: String?
  /// The well-known name of that program; nil if none did.
  private(set) var lastName: String?

  /// Creates a question that has not been asked.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - history: the earlier attempts to ask about the same event.
  ///   - end: the time until which to ask.
  init(_ question: FlowQuestion, after history: AskingHistory, until end: ContinuousClock.Instant) {
    (self.question, self.history, self.end) = (question, history, end)
  }

  /// Why no program can be asked.
  var whyGone: String {
    guard let lastTitle else { return "nothing serves the flow \(question.instance.flow) at the moment" }
    return "\(lastTitle), which served the flow \(question.instance.flow), has left"
  }

  /// Records that a provider is about to be asked.
  ///
  /// A repetition has the same bytes, including the deadline (P6), although less time may remain.
  ///
  /// - Returns: the maximum time for the answer; nil if the time has passed.
  mutating func begin(at now: ContinuousClock.Instant, of provider: ProvidedFlow) -> Duration? {
    let time = min(provider.flow.deadline, now.duration(to: end))
    guard time > .zero else { return nil }
    told = told ?? time
    history.ask(provider.program)
    return time
  }

  /// Handles the reply to one attempt.
  ///
  /// - Parameters:
  ///   - reply: the reply.
  ///   - provider: the provider that was asked.
  ///   - note: receives each unknown key of the answer, which is ignored.
  /// - Returns: the answer; nil if the question must be asked again.
  mutating func take(
    _ reply: Reply, of provider: ProvidedFlow, noting note: @escaping @Sendable (UnknownKey) -> Void
  ) -> FlowAnswer? {
    let flow = question.instance.flow
    do {
      return .decided(try AnswerDecoder(noting: note).decision(try reply.get()))
    } catch let fault as AnswerDecoder.Fault {
      return .trouble(.failed("the answer of \(provider.title) for the flow \(flow) \(fault)"))
    } catch ConnectionError.timedOut {
      return .trouble(.timeout("\(provider.title) has not decided in time about the flow \(flow)"))
    } catch let error as DBusError where error.isDeath {
      (lastTitle, lastName) = (provider.title, provider.name)
      dead = provider.owner
      // The provider died while it handled another question, and this one was still in the queue.
      guard !error.isAbsence else {
        history.wasNotAsked()
        return nil
      }
      // Among several questions, it is unknown which one caused the death, so each is asked again alone.
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
  /// Returns why a program may not be asked; nil if it may.
  ///
  /// - Parameters:
  ///   - server: the program that serves the flow now.
  ///   - known: the program that has made the decisions so far.
  /// - Returns: the reason, for users.
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
  /// Whether the callee has left the bus, before or during the call. Only the bus can report this: a callee that sends such an
  /// error is alive, and has answered.
  var isDeath: Bool { isAbsence || isFromBus && isStandard("NoReply") }

  /// Whether the callee had left the bus before the call.
  var isAbsence: Bool { isFromBus && (isStandard("ServiceUnknown") || isStandard("NameHasNoOwner")) }
}
