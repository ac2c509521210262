import CoordinatorBus
import CoordinatorKit
import DBus

/// What has come so far of asking a question. A value that decides; its owner asks.
struct Asking: Sendable {
  typealias Reply = Result<[Value], any Error>

  /// How often a provider may die over a question.
  private static var maxDeaths: Int { 3 }

  let question: FlowQuestion
  /// When to give up.
  let end: ContinuousClock.Instant
  /// The connection that died last over the question; nil if none did.
  private(set) var dead: String?
  /// Whether the question is asked alone, because a provider has died that was asked others at the same time.
  private(set) var isSuspect = false
  private var deaths = 0
  private var lastTitle: String?

  /// Creates a question that has not been asked.
  init(_ question: FlowQuestion, until end: ContinuousClock.Instant) { (self.question, self.end) = (question, end) }

  /// Why nobody can be asked.
  var whyGone: String {
    guard let lastTitle else { return "nothing serves the flow \(question.instance.flow) at the moment" }
    return "\(lastTitle), which served the flow \(question.instance.flow), has left"
  }

  /// Accepts what came of asking once.
  ///
  /// - Returns: the answer; nil if the question has to be asked again.
  mutating func take(_ reply: Reply, of provider: FlowRegistration) -> FlowAnswer? {
    let flow = question.instance.flow
    do {
      return .decided(try AnswerDecoder().decision(try reply.get()))
    } catch let fault as AnswerDecoder.Fault {
      return .trouble(.failed("the answer of \(provider.title) for the flow \(flow) \(fault)"))
    } catch ConnectionError.timedOut {
      return .trouble(.timeout("\(provider.title) has not decided in time about the flow \(flow)"))
    } catch let error as DBusError where error.isDeath {
      lastTitle = provider.title
      // Among several questions, it is not known which was the fatal one: each is asked again, alone.
      if isSuspect { deaths += 1 }
      (isSuspect, dead) = (true, provider.owner)
      guard deaths < Self.maxDeaths else {
        return .trouble(.failed("\(provider.title) has died \(deaths) times when asked about the flow \(flow)"))
      }
      return nil
    } catch let error as DBusError {
      return FlowAnswer(error, of: provider, for: flow)
    } catch {
      return .trouble(.failed("\(provider.title) cannot be asked about the flow \(flow): \(error)"))
    }
  }
}

extension DBusError {
  /// Whether the callee has left the bus, before or during the call.
  var isDeath: Bool {
    ["NoReply", "ServiceUnknown", "NameHasNoOwner"].contains { name == "org.freedesktop.DBus.Error.\($0)" }
  }
}

extension FlowAnswer {
  /// Creates what the error of a provider means.
  fileprivate init(_ error: DBusError, of provider: FlowRegistration, for flow: String) {
    switch ContractError(error) {
    case .denied(let message): self = .refused(.denied(message))
    case .invalidPayload(_, let reasons): self = .refused(.invalidPayload(reasons))
    case .invalidInput(_, let reasons): self = .refused(.invalidInput(reasons))
    case .notDismissable(let message): self = .refused(.notDismissable(message))
    case .unknownEvent: self = .notTaken
    default:
      if error.name == Contract.errorPrefix + "Failed" {
        self = .failed(Failure(code: error.extra.first?.string ?? "failed", message: error.message))
      } else {
        self = .trouble(.failed("\(provider.title) failed over the flow \(flow): \(error.name): \(error.message)"))
      }
    }
  }
}
