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

  /// Prints the top screen of a flow tree; nil means the only active tree.
  ///
  /// - Throws: ``ToolFailure``.
  public func run(_ tree: String?) async throws(ToolFailure) {
    let root = try await session.root(tree)
    let (window, participants) = try await session.doing { () async throws(ClientError) in
      (try await session.window(of: root), try await session.participants(of: root))
    }
    let here = participants.flatMap(\.titles)
    let company = here.isEmpty ? [] : ["", session.output.style.quiet("Here: \(here.joined(separator: ", "))")]
    let renderer = LinearRenderer(style: session.output.style, showsIDs: true)
    let back = LeavingStep(in: window).sentence.map { ["", session.output.style.quiet($0)] } ?? []
    session.output.say(
      window.top.map { renderer.lines(for: $0.screen, draft: $0.draft, now: .now) + hints($0, window) + back + company }
        ?? ScreenReport.nothing(in: window) + company,
      json: JSONValue(window).adding("renderers", .array(participants.map { JSONValue($0) })))
  }

  /// What the ids of actions and items do not tell: several items, suggestions, and answers under review.
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
    lines += ReviewChanges(on: top.screen, among: window.screens).targets.map { target in
      "'coordinatorctl send change id=\(target.name ?? "\(target.id)")' changes \(target.answers.joined(separator: "; "))"
        .printable
    }
    return lines.isEmpty ? [] : [""] + lines.map(session.output.style.quiet)
  }
}
