import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import LinearTerminal
import RendererKit

/// `coordinatorctl show`: prints the top screen.
public struct ShowScreen: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints the top screen of a flow tree; nil means the only active tree. For a tree that has ended, prints the end.
  ///
  /// - Parameters:
  ///   - tree: flow tree.
  ///   - view: parts of the window to print.
  /// - Returns: the exit code; an error if the pattern matches no item.
  /// - Throws: ``ToolFailure``.
  public func run(_ tree: String?, _ view: ShownParts = ShownParts()) async throws(ToolFailure) -> ToolExit {
    let root = try await session.knownRoot(tree)
    let (window, participants): (MirroredWindow, [Participant])
    do {
      (window, participants) = (try await session.window(of: root), try await session.participants(of: root))
    } catch {
      guard error.isUnknownObject, let end = try await end(of: root) else { throw ToolFailure(error) }
      session.output.say(end.lines, json: JSONValue(end))
      return .alreadyEnded
    }
    var shown = window
    shown.screens = try view.screens(of: window)
    let style = view.isPlain ? TextStyle(isUnicode: session.output.style.isUnicode) : session.output.style
    let reason = await reasonAgainstAnswering(window.top)
    var json = JSONValue(shown).adding("renderers", .array(participants.map { JSONValue($0) }))
    if reason != nil { json = json.adding("answerable", .boolean(false)) }
    let notice = view.isStub ? nil : reason.map { ContractError.mayNotAnswer(message: $0).sentence }
    session.output.say(
      ScreenText(view: view, style: style).lines(of: shown, in: window, participants) + [notice].compactMap(\.self), json: json)
    return view.isMatched(by: shown) ? .success : .error
  }

  /// Returns why the user may only see the top screen; nil if the user may answer it, or there is none any more.
  private func reasonAgainstAnswering(_ top: PresentedScreen?) async -> String? {
    guard let top else { return nil }
    return (try? await session.daemon.coordinator(top.coordinator).reasonAgainstAnswering()) ?? nil
  }

  private func end(of root: ObjectPath) async throws(ToolFailure) -> FlowEnd? {
    try await session.doing { () async throws(ClientError) in try await session.daemon.manager.outcome(of: root) }
  }
}

/// Screens as lines for users who answer them by commands.
struct ScreenText: Sendable {
  var view: ShownParts
  var style: TextStyle

  /// Returns the lines of a view.
  ///
  /// - Parameters:
  ///   - shown: screens of the view.
  ///   - window: whole window.
  ///   - participants: renderers that are attached.
  /// - Returns: the lines, without line breaks.
  func lines(of shown: MirroredWindow, in window: MirroredWindow, _ participants: [Participant]) -> [String] {
    guard !shown.screens.isEmpty else { return ScreenReport.nothing(in: window) + company(participants) }
    guard !view.isAll else {
      return Array(shown.screens.map { heading($0) + lines(of: $0, in: window) }.joined(separator: [""]))
    }
    guard let top = shown.top else { return [] }
    guard !view.isPlain, !view.isStub, view.isWhole else { return lines(of: top, in: window) }
    let back = LeavingStep(in: window).sentence.map { ["", style.quiet($0)] } ?? []
    return lines(of: top, in: window) + back + company(participants)
  }

  private func lines(of presented: PresentedScreen, in window: MirroredWindow) -> [String] {
    if view.isStub { return AnswerOffer(presented, among: window.screens).lines }
    let renderer = LinearRenderer(style: style, showsIDs: !view.isPlain)
    return renderer.lines(for: presented.screen, draft: presented.draft, now: .now)
      + (view.isPlain ? [] : hints(presented, window))
  }

  private func heading(_ presented: PresentedScreen) -> [String] {
    view.isStub ? [] : [style.quiet("\(presented.id) \(presented.screen.name.printable)")]
  }

  private func company(_ participants: [Participant]) -> [String] {
    let here = participants.flatMap(\.titles)
    return here.isEmpty ? [] : ["", style.quiet("Here: \(here.joined(separator: ", "))")]
  }

  /// Returns hints beyond the ids of actions and items: the number of items to choose, suggestions, and answers under review.
  private func hints(_ top: PresentedScreen, _ window: MirroredWindow) -> [String] {
    var lines: [String] = []
    if let choosing = top.screen.choosing, top.screen.items != nil {
      if let count = choosing.count {
        lines.append("'coordinatorctl send select ids=ITEM ids=ITEM' chooses \(ItemSelection.text(of: count)) items.")
      }
      if !choosing.initial.isEmpty { lines.append("Chosen at first: \(choosing.initial.joined(separator: ", ").printable)") }
    }
    let suggested = top.screen.offeredSuggestions
    if !suggested.isEmpty { lines.append("Suggested: \(suggested.joined(separator: ", ").printable)") }
    if let id = top.screen.offeredDefault { lines.append("Default: \(id.printable)") }
    lines += ReviewChanges(on: top.screen, among: window.screens).targets.map { target in
      "'coordinatorctl send change id=\(target.name ?? "\(target.id)")' changes \(target.answers.joined(separator: "; "))"
        .printable
    }
    return lines.isEmpty ? [] : [""] + lines.map(style.quiet)
  }
}

/// The parts of a window that `coordinatorctl show` prints. A value without I/O.
public struct ShownParts: Sendable, Hashable {
  /// The name of the screen to print, which may be covered; nil for the one on top.
  public var screen: String?
  /// Whether to print all screens, bottom first.
  public var isAll: Bool
  /// The text that items of a list must match; nil for all items.
  public var pattern: String?
  /// Whether to omit ids, hints and formatting, so that only the user's view remains.
  public var isPlain: Bool
  /// Whether to print the lines of an answers file that would answer the screen.
  public var isStub: Bool

  /// Creates a view; by default, that of the screen on top.
  public init(
    screen: String? = nil, isAll: Bool = false, pattern: String? = nil, isPlain: Bool = false, isStub: Bool = false
  ) {
    self.screen = screen
    self.isAll = isAll
    self.pattern = pattern
    self.isPlain = isPlain
    self.isStub = isStub
  }

  /// Whether the view is that of the screen on top alone, complete.
  var isWhole: Bool { screen == nil && !isAll && pattern == nil }

  /// Returns the screens to print, bottom first. Without a choice, these are all screens, because the JSON output has always
  /// contained all of them.
  ///
  /// - Throws: ``ToolFailure`` if there is no screen of the name.
  func screens(of window: MirroredWindow) throws(ToolFailure) -> [PresentedScreen] {
    var screens = window.screens
    if let screen {
      guard let named = screens.last(where: { $0.screen.name == screen }) else {
        let names = screens.reversed().map(\.screen.name.printable)
        throw ToolFailure(
          ["no screen is called '\(screen.printable)'"]
            + (names.isEmpty ? [] : ["  screens, the one on top first: \(names.joined(separator: ", "))"]),
          cause: .unknown, name: "UnknownScreen")
      }
      screens = [named]
    }
    guard let pattern else { return screens }
    return screens.map { presented in
      guard let items = presented.screen.items else { return presented }
      var filtered = presented
      filtered.screen.items = RowFilter(items).matches(pattern).rows.map { items[$0] }
      return filtered
    }
  }

  /// Returns whether the printed screens contain the pattern.
  func isMatched(by window: MirroredWindow) -> Bool {
    guard pattern != nil else { return true }
    let screens = isAll ? window.screens : window.screens.suffix(1)
    return screens.contains { $0.screen.items?.isEmpty == false }
  }
}

/// The output of a command that changes a flow tree: the top screen, or the end of the flow.
struct ScreenReport {
  private let session: ToolSession

  init(_ session: ToolSession) { self.session = session }

  /// Prints the top screen after a call, or the end of the flow.
  func print(_ revision: UInt64, _ root: ObjectPath) async throws(ToolFailure) {
    let number = JSONValue(count: revision)
    do {
      let window = try await session.window(of: root)
      session.output.say(
        window.top.map { [Self.summary(of: $0, session.output.style)] } ?? Self.nothing(in: window),
        json: ["revision": number, "window": JSONValue(window)])
    } catch {
      guard error.isUnknownObject else { throw ToolFailure(error) }
      let end =
        try await session.doing { () async throws(ClientError) in try await session.daemon.manager.outcome(of: root) } ?? .lost
      session.output.say(end.lines, json: ["revision": number, "outcome": .string(end.name), "result": .object(end.result)])
    }
  }

  /// Returns the reason why there is no screen, and advice.
  static func nothing(in window: MirroredWindow) -> [String] {
    window.heldReason.map { [$0] + ClientError.heldAdvice } ?? ["There is no screen at the moment."]
  }

  /// Describes a screen in one line: its name and its title.
  static func summary(of top: PresentedScreen, _ style: TextStyle) -> String {
    let dash = style.isUnicode ? "–" : "-"
    return "\(top.screen.name.printable) \(dash) \(top.screen.title.printable)"
  }
}

/// `coordinatorctl back`: goes back from the top screen.
public struct GoBack: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Goes back from the top screen of a flow tree; nil means the only active tree. The request key makes the call safe to
  /// repeat. If the tree does not show an expected screen, nothing is done.
  ///
  /// - Throws: ``ToolFailure``.
  public func run(_ tree: String?, request: String?, expected: SendGuard = SendGuard()) async throws(ToolFailure) {
    let root = try await session.root(tree)
    let window = try await session.doing { () async throws(ClientError) in try await session.window(of: root) }
    try expected.check(window)
    guard let top = window.top else {
      guard window.held == nil else { throw ToolFailure(ScreenReport.nothing(in: window), cause: .held) }
      throw ToolFailure(["there is no screen to go back from"], cause: .stale)
    }
    let revision = try await session.doing { () async throws(ClientError) in
      guard let router = try? Contract.routerPath(of: root) else { throw .malformedAnswer(root.string) }
      return try await session.namedDaemon.router(router).back(screen: top.id, options: Options(request: request))
    }
    try await ScreenReport(session).print(revision, root)
  }
}
