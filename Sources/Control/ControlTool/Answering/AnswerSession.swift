import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import LinearTerminal
import RendererKit

/// Drives an ``AnswerPlayer``: follows the window of a flow tree, makes the moves, and lets a user answer when the
/// player asks for that.
struct AnswerSession: Sendable {
  /// How the run ended.
  enum Ending: Sendable, Hashable {
    /// The flow has ended; the given answers were not used.
    case ended(FlowEnd, unused: [AnswerKey])
    /// The run stopped before the flow ended.
    case stopped(ToolFailure)
  }

  /// The terminal at which a user can be asked.
  struct Person: Sendable {
    var reader: LineReader
    var screen: TerminalScreen
    var write: @Sendable (String) -> Void
  }

  private enum News: Sendable {
    case event(WindowEvent)
    case lost(ClientError)
    case player(AnswerPlayer.Input)
    case conversation(Conversation.Input)
    case late(ToolFailure)
  }

  /// The maximum time for which the daemon may be away.
  static let patience = Duration.seconds(60)

  let daemon: DaemonClient
  let tree: ObjectPath
  let secrets: PendingSecrets
  let person: Person?
  /// The timeout of the run, in microseconds; nil for none.
  let limit: UInt64?
  /// The time to wait for an item that is not in its list yet, or for a held flow, in microseconds; nil to not wait at all.
  let patience: UInt64?
  /// Writes a warning.
  let complain: @Sendable (String) -> Void

  /// Plays until the flow ends, an answer is missing or wrong, the timeout passes, or the user leaves.
  func run(_ player: AnswerPlayer) async throws(ClientError) -> Ending {
    let mirror = try await WindowMirror.attach(to: tree, of: daemon, kind: "answers", isComplete: true)
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let tasks = [
      Task {
        do throws(ClientError) {
          for try await event in mirror.events { continuation.yield(.event(event)) }
        } catch {
          continuation.yield(.lost(error))
        }
      },
      Task {
        guard let person else { return }
        for await line in person.reader.lines {
          switch line {
          case .text(let text): continuation.yield(.conversation(.line(text)))
          case .end: continuation.yield(.conversation(.endOfInput))
          }
        }
      },
      Task {
        guard let limit, (try? await Task.sleep(for: .microseconds(Int64(clamping: limit)))) != nil else { return }
        continuation.yield(.late(ToolFailure(["timed out before the flow ended"])))
      },
    ]
    defer {
      for task in tasks { task.cancel() }
      TerminalEcho.turnOn()
    }
    let ending = try await play(player, news) { continuation.yield($0) }
    await mirror.close()
    return ending
  }

  private func play(
    _ player: AnswerPlayer, _ news: AsyncStream<News>, tell: @escaping @Sendable (News) -> Void
  ) async throws(ClientError) -> Ending {
    var player = player
    var asking: UserConversation?
    /// The id of the screen that is left to users of other renderers.
    var left: UInt64?
    var absence: Task<Void, Never>?
    var wait: Task<Void, Never>?
    defer {
      absence?.cancel()
      wait?.cancel()
    }
    for await piece in news {
      let inputs: [AnswerPlayer.Input]
      switch piece {
      case .lost(let error): throw error
      case .late(let failure): return .stopped(failure)
      case .player(let input): inputs = [input]
      case .conversation(let input):
        inputs = []
        guard let exit = hear(input, &asking, tell) else { break }
        return .stopped(ToolFailure(["left before the flow ended"], exit: exit))
      case .event(let event):
        if event.isForConversations { _ = hear(.event(event), &asking, tell) }
        absence = absent(event, absence, tell)
        inputs = event.input.map { [$0] } ?? []
      }
      for input in inputs {
        for effect in player.handle(input) {
          switch effect {
          case .send(let move, let request):
            asking?.withdraw()
            asking = nil
            Task { tell(.player(await make(move, request))) }
          case .ask(let window):
            guard let person else {
              leave(window, &left)
              break
            }
            if asking == nil { asking = UserConversation(tree: tree, person: person) }
            _ = hear(.event(.window(window)), &asking, tell)
          case .wait(let awaited):
            wait?.cancel()
            wait = waiting(for: awaited, tell)
          case .stop(let failure):
            asking?.withdraw()
            return .stopped(failure)
          case .stopHeld(let coordinator):
            asking?.withdraw()
            return .stopped(try await failure(ofHeld: coordinator))
          case .end(let end, let unused):
            asking?.withdraw()
            return .ended(end, unused: unused)
          }
        }
      }
    }
    return .stopped(ToolFailure(["cancelled"], exit: .interrupted))
  }

  private func failure(ofHeld coordinator: ObjectPath) async throws(ClientError) -> ToolFailure {
    let reason = try await daemon.coordinator(coordinator).held()
    return ToolFailure(.refused(.held(message: reason ?? "")))
  }

  // MARK: Moves

  private var calls: FlowCalls { FlowCalls(daemon, tree: tree) }

  private func make(_ move: AnswerMove, _ request: String?) async -> AnswerPlayer.Input {
    do throws(ClientError) {
      switch move {
      case .dismiss:
        return .accepted(revision: try await daemon.coordinator(tree).dismiss(options: Options(request: request)))
      case .back(let screen):
        return .accepted(revision: try await calls.back(from: screen, request: request))
      case .delegate(var delegation, let references):
        for (index, reference) in references.enumerated() {
          do {
            let secret = try await secrets.read(reference.source, for: references, at: index)
            delegation.payload[reference.field.name] = secret.withString { AnswerText.value(of: $0, in: reference.field.schema) }
          } catch {
            return .unreadable(field: reference.field.name, reason: error.reason)
          }
        }
        let revision = try await calls.delegate(delegation, request: request)
        secrets.forget()
        return .accepted(revision: revision)
      }
    } catch {
      return .refused(error)
    }
  }

  /// Starts the timer that stops the run when the daemon is away for too long, or cancels it.
  private func absent(
    _ event: WindowEvent, _ absence: Task<Void, Never>?, _ tell: @escaping @Sendable (News) -> Void
  ) -> Task<Void, Never>? {
    switch event {
    case .daemonLost:
      return Task {
        guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
        tell(.late(ToolFailure(["coordinatord left the bus and has not come back"], exit: .noDaemon)))
      }
    case .daemonBack:
      absence?.cancel()
      return nil
    default: return absence
    }
  }

  /// Starts waiting for a change, and reports it; otherwise the pause would be unexplained.
  private func waiting(
    for awaited: AnswerPlayer.Awaited, _ tell: @escaping @Sendable (News) -> Void
  ) -> Task<Void, Never> {
    if patience != nil {
      let reason =
        switch awaited.change {
        case .item(let item, let key): "\(key): '\(item)' is not in the list yet; waiting for it"
        case .release: "the flow cannot continue at the moment; waiting until it can"
        }
      complain("coordinatorctl: \(reason)".printable + "\n")
    }
    return Task {
      if let patience, (try? await Task.sleep(for: .microseconds(Int64(clamping: patience)))) == nil { return }
      tell(.player(.waitedLongEnough(screen: awaited.screen)))
    }
  }

  // MARK: Asking

  /// Reports that a screen waits for a user, once for each screen.
  private func leave(_ window: MirroredWindow, _ left: inout UInt64?) {
    guard let top = window.top, top.id != left, top.screen.progress == nil else { return }
    left = top.id
    let name = TreeSelector.name(tree)
    complain(
      "coordinatorctl: \(top.screen.name): no answer in the file; waiting for somebody to answer: coordinator-tui \(name)"
        .printable
        + "\n")
  }

  /// Passes an input to the conversation with the user, and performs its effects.
  ///
  /// - Returns: the exit code if the user has left, otherwise nil.
  private func hear(
    _ input: Conversation.Input, _ asking: inout UserConversation?, _ tell: @escaping @Sendable (News) -> Void
  ) -> ToolExit? {
    guard let effects = asking?.hear(input) else { return nil }
    for effect in effects {
      switch effect {
      case .leave: return .missingAnswer
      case .delegate(let delegation): Task { tellBoth(await byHand(delegation), tell) }
      case .back(let screen):
        Task {
          let input = await make(.back(screen: screen), nil)
          tellBoth(input, tell)
        }
      case .print, .prompt, .withdrawPrompt, .interruptPrompt, .saveDraft, .countOthers: break
      }
    }
    return nil
  }

  private func byHand(_ delegation: Delegation) async -> AnswerPlayer.Input {
    do {
      return .accepted(revision: try await calls.delegate(delegation))
    } catch {
      return .refused(error)
    }
  }

  /// Reports to the conversation first, because it may ask again.
  private func tellBoth(_ input: AnswerPlayer.Input, _ tell: @Sendable (News) -> Void) {
    switch input {
    case .accepted(let revision):
      tell(.conversation(.accepted(revision: revision)))
      tell(.player(.answeredByHand(revision: revision)))
    case .refused(let error): tell(.conversation(.refused(error)))
    default: break
    }
  }
}

extension WindowEvent {
  /// The input that the event is for a player, if any.
  fileprivate var input: AnswerPlayer.Input? {
    switch self {
    case .window(let window): .window(window)
    case .daemonBack: .daemonBack
    case .ended(let end): .ended(end)
    case .progress, .drafted, .typing, .participants, .language, .answered, .daemonLost: nil
    }
  }

  /// Whether the event goes directly to the conversation. Windows reach it through the player; the end is reported when
  /// the run has ended.
  fileprivate var isForConversations: Bool {
    switch self {
    case .window, .ended: false
    case .progress, .drafted, .typing, .participants, .language, .answered, .daemonLost, .daemonBack: true
    }
  }
}

/// A conversation with the user about a screen for which the answers file has no answer.
struct UserConversation {
  private var conversation: Conversation
  private var terminal: ConversationTerminal
  private var hasPrompt = false

  /// Creates a conversation that has not started.
  init(tree: ObjectPath, person: AnswerSession.Person) {
    conversation = Conversation(
      tree: TreeSelector.name(tree), style: person.screen.style, isInteractive: person.screen.kind != .pipe, farewell: [])
    terminal = ConversationTerminal(person.screen.kind, reader: person.reader, write: person.write)
  }

  /// Handles an input and writes the resulting output.
  ///
  /// - Returns: all effects of the conversation.
  mutating func hear(_ input: Conversation.Input) -> [Conversation.Effect] {
    switch input {
    case .line(let line):
      terminal.answered(line)
      hasPrompt = false
    case .endOfInput:
      terminal.answered(nil)
      hasPrompt = false
    default: break
    }
    conversation.now = .now
    let effects = conversation.handle(input)
    for effect in effects {
      terminal.show(effect)
      switch effect {
      case .prompt: hasPrompt = true
      case .withdrawPrompt: hasPrompt = false
      default: break
      }
    }
    return effects
  }

  /// Withdraws the open prompt after the screen was answered by other means.
  mutating func withdraw() {
    if hasPrompt { terminal.show(.withdrawPrompt) }
    hasPrompt = false
  }
}
