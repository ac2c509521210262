import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// Guides a user from the front door to a flow: a ``Conversation`` about ``HomeScreens``. A value that makes the
/// decisions, without I/O.
struct HomeDesk: Sendable {
  /// Something that happened.
  enum Input: Sendable, Hashable {
    /// What runs has changed.
    case news(HomeNews)
    /// The user has entered something.
    case conversation(Conversation.Input)
    /// The daemon refused to start a flow.
    case refused(ClientError)
  }

  /// An effect to perform.
  enum Effect: Sendable, Hashable {
    /// Write or ask something.
    case write(Conversation.Effect)
    /// Show a flow that runs.
    case open(ObjectPath)
    /// Start a flow with this input, and show it, or report `refused`.
    case start(String, [String: JSONValue])
    /// Stop with this exit code.
    case leave(ToolExit)
  }

  private var conversation: Conversation
  private var screens: HomeScreens?
  private var isAway = false

  /// Creates a front door that has not been read.
  init(style: TextStyle, isInteractive: Bool) {
    conversation = Conversation(tree: nil, style: style, isInteractive: isInteractive)
  }

  /// Whether the front door was shown.
  var isOpen: Bool { screens != nil }

  /// Handles an input at a time.
  mutating func handle(_ input: Input, at now: Timestamp) -> [Effect] {
    switch input {
    case .news(.home(let home)): return take(home, at: now)
    case .news(.away):
      isAway = true
      return effects(of: conversation.handle(.event(.daemonLost)))
    case .news(.failed): return []
    case .conversation(let input): return effects(of: conversation.handle(input))
    case .refused(let error): return effects(of: conversation.handle(.refused(error.asRefusedForm)))
    }
  }

  /// Takes over what runs. Only flows that have come or gone are told: where each flow is and how old it is may change
  /// all the time.
  private mutating func take(_ home: Home, at now: Timestamp) -> [Effect] {
    guard let former = screens else {
      let screens = HomeScreens(home, at: now)
      self.screens = screens
      return effects(of: conversation.handle(.event(.window(screens.window))))
    }
    // A script answers what it has read.
    guard conversation.isInteractive else { return [] }
    var screens = former
    screens.update(to: home, at: now)
    self.screens = screens
    guard isAway else {
      conversation.adopt(screens.updatingDetails(of: former))
      return effects(of: conversation.handle(.event(.window(screens.window))))
    }
    isAway = false
    _ = conversation.handle(.event(.window(screens.window)))
    let back = conversation.handle(.event(.daemonBack)).filter { if case .print = $0 { true } else { false } }
    return effects(of: back + conversation.show())
  }

  private mutating func effects(of effects: [Conversation.Effect]) -> [Effect] {
    var result: [Effect] = []
    for effect in effects {
      switch effect {
      case .leave(let exit): result.append(.leave(exit))
      case .delegate(let delegation): result += choose(delegation)
      case .back: result += ask(nil)
      case .print, .prompt, .withdrawPrompt, .interruptPrompt: result.append(.write(effect))
      case .saveDraft, .countOthers: break
      }
    }
    return result
  }

  private mutating func choose(_ delegation: Delegation) -> [Effect] {
    switch screens?.choice(delegation) {
    case .attach(let flow): [.open(flow.coordinator)]
    case .start(let flow, let input): [.start(flow.name, input)]
    case .ask: ask(screens?.flow(delegation))
    case nil:
      effects(of: conversation.handle(.refused(.refused(.denied(message: Text("This flow has ended.").string)))))
    }
  }

  /// Shows the form of a flow's input, or the list again.
  private mutating func ask(_ flow: FlowListing?) -> [Effect] {
    guard var screens else { return [] }
    screens.ask(flow)
    self.screens = screens
    let shown = conversation.handle(.event(.window(screens.window)))
    return effects(of: shown + conversation.handle(.accepted(revision: screens.revision)))
  }
}

extension ClientError {
  /// The error as if the form of the input had been refused.
  fileprivate var asRefusedForm: ClientError {
    guard case .refused(.invalidInput(let message, let reasons)) = self else { return self }
    return .refused(.invalidPayload(message: message, reasons: reasons))
  }
}
