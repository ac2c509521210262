import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import LinearTerminal
import RendererKit

/// Screens as lines for users who answer them by commands.
struct ScreenText: Sendable {
  var view: ScreenView
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
    lines += ReviewChanges(on: top.screen, among: window.screens).targets.map { target in
      "'coordinatorctl send change id=\(target.name ?? "\(target.id)")' changes \(target.answers.joined(separator: "; "))"
        .printable
    }
    return lines.isEmpty ? [] : [""] + lines.map(style.quiet)
  }
}
