import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

/// Talks a person, or a script, through the screens of a flow tree, line by line: a value that decides, without any I/O.
///
/// Whoever drives it passes on everything that happens, and carries out the effects in their order.
public struct Conversation: Sendable {
  /// Something that happened.
  public enum Input: Sendable, Hashable {
    /// A line was typed, without its line break.
    case line(String)
    /// There will be no more lines.
    case endOfInput
    /// The mirror of the flow tree's window has news.
    case event(WindowEvent)
    /// The daemon took what was delegated, or the way back; the tree is at this revision now.
    case accepted(revision: UInt64)
    /// The daemon did not take it.
    case refused(ClientError)
  }

  /// Something to do.
  public enum Effect: Sendable, Hashable {
    /// Write these lines.
    case print([String])
    /// Ask for a line.
    case prompt(Prompt)
    /// Nobody need answer the last prompt any more: other lines follow, and perhaps another prompt.
    case withdrawPrompt
    /// Other lines follow, and then another prompt for the same answer: what has been typed of it so far counts.
    case interruptPrompt
    /// Show this line instead of the last one about progress.
    case showProgress(String)
    /// Keep what was typed and not sent yet, for other renderers. Nothing is lost if that fails.
    case saveDraft(screen: UInt64, [String: JSONValue])
    /// Delegate, and answer with `accepted` or `refused`.
    case delegate(Delegation)
    /// Go back from a screen, and answer with `accepted` or `refused`.
    case back(screen: UInt64)
    /// Stop; the flow may live on.
    case leave(ToolExit)
  }

  /// Where the conversation stands.
  enum Phase: Sendable, Hashable {
    /// There is nothing to ask: no screen, or one that is busy while nobody is at the keyboard.
    case listening
    /// A prompt is open: for a choice, or for the current field of the draft.
    case askingChoice
    case askingField
    /// A prompt is open: whether the whole flow is to end.
    case askingEnd
    /// A call is under way.
    case calling
    /// The call was answered; the window of that revision has not come yet.
    case settling(revision: UInt64)
    /// The window of that revision is out of date; the next one has not come yet.
    case outdated(revision: UInt64)
    /// The daemon is not there.
    case away
    /// The end.
    case over
  }

  /// What the flow tree is called: what to give to come back to it.
  let tree: String
  /// Whether a person answers, or a file. A file cannot react to a screen that is busy, so that nobody is asked then.
  let isInteractive: Bool
  let renderer: LinearRenderer
  var phase = Phase.listening
  var window: MirroredWindow?
  /// The screen that was printed last, as it was then.
  var shown: PresentedScreen?
  /// What can be chosen on it.
  var choices: ChoiceList?
  /// What was last said about work on it.
  var toldProgress: String?
  /// What is asked before the flow ends, while it is asked.
  var askedEnd: String?
  var draft: FormDraft?
  /// What to say before the next window is shown.
  var news: String?
  /// What to say to a user who leaves.
  private let farewell: [String]
  private var isIntroduced = false

  /// A conversation that waits for its first window.
  ///
  /// - Parameters:
  ///   - tree: What the flow tree is called.
  ///   - style: How lines may look.
  ///   - isInteractive: Whether a person answers.
  ///   - farewell: What to say to a user who leaves; by default how to come back.
  public init(tree: String, style: TextStyle, isInteractive: Bool, farewell: [String]? = nil) {
    self.tree = tree
    self.farewell = farewell ?? ["", "The flow goes on. To come back to it: coordinator-tui \(tree)"]
    self.isInteractive = isInteractive
    renderer = LinearRenderer(style: style)
  }

  /// Takes something that happened.
  ///
  /// - Parameter input: What happened, in the order in which it did.
  /// - Returns: What to do, in this order.
  public mutating func handle(_ input: Input) -> [Effect] {
    guard phase != .over else { return [] }
    switch input {
    case .line(let line): return answer(line)
    case .endOfInput: return leave()
    case .event(let event): return take(event)
    case .accepted(let revision): return accepted(revision)
    case .refused(let error): return refused(error)
    }
  }

  /// Ends the conversation and leaves the flow alone.
  mutating func leave() -> [Effect] {
    phase = .over
    return [.print(farewell), .leave(.success)]
  }

  /// Prints the top screen and asks for what it asks for.
  mutating func show() -> [Effect] {
    draft = keptDraft()
    guard let window, let top = window.top else {
      shown = nil
      phase = .listening
      return window?.heldSentence.map { isHeld($0) } ?? []
    }
    shown = top
    let screen = top.screen
    toldProgress = screen.progress.map(renderer.line(for:))
    var blocks = [renderer.heading(of: screen), renderer.messages(of: screen)]
    if let progress = screen.progress { blocks.append([renderer.line(for: progress)]) }
    if isFillable(screen) {
      blocks.append(alternatives(in: screen))
    } else {
      blocks.append(choiceLines(of: top))
    }
    if !isIntroduced, isInteractive {
      let back = LeavingStep(in: window).question == nil ? "b goes back" : "b ends the flow"
      blocks.append([renderer.style.quiet("\(back), q leaves, ? helps")])
      isIntroduced = true
    }
    return [.print([""] + blocks.filter { !$0.isEmpty }.joined(separator: [""]))] + ask()
  }

  /// Says that the flow is held. A person may wait for it to be taken up; a file would be waited for by nobody.
  private mutating func isHeld(_ sentence: String) -> [Effect] {
    guard isInteractive else {
      phase = .over
      return [.print(["", sentence]), .leave(.error)]
    }
    return [.print(["", sentence, renderer.style.quiet("It is shown here as soon as it is taken up. Ctrl-C leaves.")])]
  }

  /// Asks for what the shown screen asks for, without printing it again.
  mutating func ask() -> [Effect] {
    guard let top = window?.top, isInteractive || top.screen.progress == nil else {
      phase = .listening
      return []
    }
    guard isFillable(top.screen), let form = top.screen.form else {
      phase = .askingChoice
      return [.prompt(choicePrompt(for: top.screen))]
    }
    if draft == nil { draft = FormDraft(form: form, screen: top.id, values: top.screen.values, kept: top.draft) }
    return askField()
  }

  /// The draft, if it still is one of the form on top.
  private func keptDraft() -> FormDraft? {
    guard var draft, let top = window?.top, top.id == draft.screen, top.screen.form == draft.form else { return nil }
    draft.refresh(values: top.screen.values, kept: top.draft)
    return draft
  }
}
