import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit

/// Guides a user, or a script, through the screens of a flow tree line by line. A value that makes the decisions,
/// without I/O.
///
/// The driver passes all inputs to the conversation, and performs the effects in order.
public struct Conversation: Sendable {
  /// Something that happened.
  public enum Input: Sendable, Hashable {
    /// A line was entered; without its line break.
    case line(String)
    /// The input has ended.
    case endOfInput
    /// The mirror of the flow tree's window has emitted an event.
    case event(WindowEvent)
    /// The daemon accepted the delegation or the step back; the tree is now at this revision.
    case accepted(revision: UInt64)
    /// The daemon refused the call.
    case refused(ClientError)
    /// The number of other renderers that are attached; nil if unknown.
    case counted(others: Int?)
    /// The listing of the flow, which has ended or is about to end; nil if unknown.
    case flow(FlowListing?)
  }

  /// An effect to perform.
  public enum Effect: Sendable, Hashable {
    /// Write these lines.
    case print([String])
    /// Ask for a line.
    case prompt(Prompt)
    /// The last prompt no longer needs an answer. Other lines follow, and possibly another prompt.
    case withdrawPrompt
    /// Other lines follow, then another prompt for the same answer. What has been typed so far is kept.
    case interruptPrompt
    /// Save typed text that has not been sent, for other renderers. A failure of the call can be ignored.
    case saveDraft(screen: UInt64, [String: JSONValue])
    /// Delegate an event, and report `accepted` or `refused`.
    case delegate(Delegation)
    /// Go back from a screen, and report `accepted` or `refused`.
    case back(screen: UInt64)
    /// Count the other renderers that are attached, and report `counted`.
    case countOthers
    /// Stop with this exit code. The flow may continue.
    case leave(ToolExit)
  }

  /// The state of the conversation.
  enum Phase: Sendable, Hashable {
    /// No prompt is open: there is no screen, or the screen is busy and the session is not interactive.
    case listening
    /// A prompt for a choice is open.
    case askingChoice
    /// A prompt for the current field of the draft is open.
    case askingField
    /// The prompt after the list of a form's answers is open.
    case checking
    /// The prompt of a question before something is sent is open.
    case askingQuestion
    /// The other renderers are being counted, because the user wants to leave.
    case counting
    /// A call is pending.
    case calling
    /// The call has returned, but the window of this revision has not arrived yet.
    case settling(revision: UInt64)
    /// The window of this revision is outdated, and the next one has not arrived yet.
    case outdated(revision: UInt64)
    /// The daemon is not on the bus.
    case away
    /// The conversation has ended.
    case over
  }

  /// The name of the flow tree, which reattaches to it on the command line; nil at the front door.
  let tree: String?
  /// Whether a user answers, as opposed to a file. A file cannot react to a busy screen, so no prompt is opened on one.
  let isInteractive: Bool
  let renderer: LinearRenderer
  /// Whether the driver can count the other renderers.
  let countsOthers: Bool
  var phase = Phase.listening
  var window: MirroredWindow?
  /// The screen that was printed last, as it was at that time.
  var shown: PresentedScreen?
  /// The choices of the printed screen.
  var choices: ChoiceList?
  /// The progress that was last printed for the screen.
  var toldProgress: ToldProgress?
  /// The question that is open before something is sent, if any.
  var question: Question?
  var draft: FormDraft?
  /// The current time, which the driver sets before it passes an input; nil prints no countdown.
  package var now: Timestamp?
  /// The notes to print once the flow has ended.
  var notes = EndNotes()
  /// A line to print before the next window.
  var news: String?
  /// The other people who have the flow open.
  var company: Company
  /// Lines about them that are printed with the next screen.
  var asides: [String] = []
  /// The lines to print when the user leaves.
  private let farewell: [String]?
  /// Whether the conversation has printed how to leave, and how to get help.
  private var isIntroduced: Bool
  /// The lines to print before the next prompt of the printed form, after the lines about its field.
  var extras: [String] = []
  /// The number of consecutive lines that were not understood.
  var misunderstandings = 0

  /// Creates a conversation that waits for its first window.
  ///
  /// - Parameters:
  ///   - tree: name of the flow tree; nil at the front door.
  ///   - style: style of the lines.
  ///   - isInteractive: whether a user answers.
  ///   - farewell: lines to print when the user leaves; by default, how to return to the flow.
  ///   - client: unique name of this renderer's connection.
  ///   - countsOthers: whether the driver performs ``Effect/countOthers``. If not, the user is always asked before the
  ///     flow ends.
  ///   - isIntroduced: whether the user knows how to leave, and how to get help.
  public init(
    tree: String?, style: TextStyle, isInteractive: Bool, farewell: [String]? = nil, client: String? = nil,
    countsOthers: Bool = false, isIntroduced: Bool = false
  ) {
    self.isIntroduced = isIntroduced
    company = Company(own: client)
    self.tree = tree
    self.countsOthers = countsOthers
    self.farewell = farewell
    self.isInteractive = isInteractive
    renderer = LinearRenderer(style: style)
  }

  /// Handles an input.
  ///
  /// - Parameter input: input; inputs must be passed in the order in which they occurred.
  /// - Returns: the effects, to be performed in this order.
  public mutating func handle(_ input: Input) -> [Effect] {
    guard phase != .over else { return [] }
    switch input {
    case .line(let line): return answer(line)
    case .endOfInput: return leave()
    case .event(let event): return take(event)
    case .accepted(let revision): return accepted(revision)
    case .refused(let error): return refused(error)
    case .counted(let others): return counted(others)
    case .flow(let flow):
      notes.flow = flow
      return []
    }
  }

  /// Ends the conversation. The flow continues.
  mutating func leave() -> [Effect] {
    phase = .over
    let command = tree.map { "coordinator-tui \($0)" }
    let comeBack = command.map { ["", Text("The flow continues. To return to it: {command}", ["command": $0]).string] }
    return [.print(farewell ?? comeBack ?? []), .leave(.success)]
  }

  /// Adopts a window without printing: nothing is printed until its screen is shown again or searched.
  mutating func adopt(_ window: MirroredWindow) {
    guard phase == .askingChoice, let top = window.top, top.id == shown?.id, var list = choices else { return }
    self.window = window
    shown = top
    _ = list.update(to: top.screen)
    choices = list
  }

  /// Prints the top screen and opens its prompt.
  package mutating func show() -> [Effect] {
    draft = keptDraft()
    guard let window, let top = window.top else {
      shown = nil
      phase = .listening
      return window?.heldSentence.map { isHeld($0) } ?? []
    }
    shown = top
    let screen = top.screen
    toldProgress = screen.progress.map { ToldProgress($0, at: now) }
    var blocks = renderer.blocks(of: screen, now: now)
    let hint = isIntroduced || !isInteractive ? [] : [renderer.style.quiet(Self.hint(LeavingStep(in: window)))]
    isIntroduced = true
    misunderstandings = 0
    let isForm = isFillable(screen)
    if isForm { extras = alternatives(in: screen) + hint } else { blocks += [choiceLines(of: top), hint] }
    defer { asides = [] }
    if !asides.isEmpty { blocks.insert(asides.map(renderer.style.quiet), at: 0) }
    let lines = [""] + blocks.filter { !$0.isEmpty }.joined(separator: [""])
    return [.print(isForm ? lines + [""] : lines)] + ask()
  }

  /// Returns the lines that are printed once before the next prompt of the form.
  mutating func takeExtras() -> [String] {
    defer { extras = [] }
    return extras
  }

  /// Reports that the flow is held. A user may wait until it continues; a session that is not interactive ends.
  private mutating func isHeld(_ sentence: String) -> [Effect] {
    guard isInteractive else {
      phase = .over
      return [.print(["", sentence]), .leave(.error)]
    }
    return [
      .print([
        "", sentence, renderer.style.quiet(Text("It appears here as soon as it is restored. Ctrl-C leaves.").string),
      ])
    ]
  }

  /// Opens the prompt of the printed screen without printing the screen again.
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

  /// Returns the draft if it still belongs to the form of the top screen.
  private func keptDraft() -> FormDraft? {
    guard var draft, let top = window?.top, top.id == draft.screen, top.screen.form == draft.form else { return nil }
    draft.refresh(values: top.screen.values, kept: top.draft)
    return draft
  }
}

/// A line that is a command instead of an answer.
enum LineCommand: Sendable, Hashable {
  /// Go back.
  case back
  /// Leave; the flow continues.
  case quit
  /// Print the help.
  case help
  /// List the answers of a form so far.
  case answers

  /// The mark before an answer that must not be taken for a command.
  static let literalMark = "="

  /// Parses a command that is written with its mark, such as `:b`; nil if the line is not a command.
  init?(marked line: String) {
    switch line.bytes.lowercased {
    case ":b", ":back": self = .back
    case ":q", ":quit": self = .quit
    case ":?", ":h", ":help": self = .help
    case ":a", ":answers": self = .answers
    default: return nil
    }
  }

  /// Parses a command without its mark, which may also be an answer; nil if the line is not a command.
  init?(bare line: String) {
    switch line {
    case "b": self = .back
    case "q": self = .quit
    case "?": self = .help
    default: return nil
    }
  }
}

/// The text that `?` prints: the commands of the prompt, one on each line.
extension Conversation {
  var help: [String] {
    guard let window, let top = window.top else { return [] }
    let about = isFillable(top.screen) ? formHelp(of: top.screen) : choiceHelp(of: top.screen)
    return [""] + about.map(\.string) + general(LeavingStep(in: window)).map(\.string) + [""]
  }

  private func choiceHelp(of screen: Screen) -> [Text] {
    var lines: [Text] = [
      Text("A number chooses, as does an exact name or id."), Text("An empty line accepts what is in brackets."),
    ]
    if SeveralChoice(screen) != nil { lines.append(Text("1, 3 chooses several rows; none chooses none.")) }
    if screen.items != nil {
      lines += [
        Text("/text shows only the rows with these words; / shows all rows again."),
        Text("+ shows more rows, as does an empty line if nothing is in brackets."),
      ]
    }
    return lines + [Text("=text chooses what is named text, even if it is a number, b or q.")]
  }

  private func formHelp(of screen: Screen) -> [Text] {
    var lines: [Text] = [Text("Each line is an answer. An empty line accepts what is in brackets.")]
    if draft.map({ $0.shown.count > 1 }) == true {
      lines.append(Text(":a lists the answers, to change one before they are sent."))
    }
    if !alternatives(in: screen).isEmpty { lines.append(Text("!action does something else than filling in the form.")) }
    return lines + [
      Text("=text is the answer text as it is, even if it is b, q, ? or empty."),
      Text("A line with only a dot ends a text of several lines."),
    ]
  }

  private func general(_ step: LeavingStep) -> [Text] {
    let leave =
      tree.map { tree in
        Text("q or :q leaves; the flow continues, and '{command}' returns to it.", ["command": "coordinator-tui \(tree)"])
      } ?? Text("q or :q leaves.")
    let lines: [Text] = [leave, Text("? or :? prints this help.")]
    switch step {
    case .none: return lines
    case .back, .mayEnd: return [Text("b or :b goes back to the previous screen.")] + lines
    case .end: return [Text("b or :b ends the flow, after a question.")] + lines
    }
  }
}
