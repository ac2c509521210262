import CoordinatorClient
import RendererKit

/// The other people who have the flow open.
extension Conversation {
  /// Takes over who is attached, and tells who was there before, has come or has left. A script is not told: it has
  /// nobody to tell.
  mutating func take(_ participants: [Participant]) -> [Effect] {
    let before = company.titles
    let come = company.take(participants)
    guard isInteractive, phase != .over, company.titles != before else { return [] }
    let left = before.filter { !company.titles.contains($0) }
    let changes = come.map(Company.joined) + left.map(Company.left)
    return tell(changes.isEmpty ? Company.sentence(of: company.titles).map { [$0] } ?? [] : changes)
  }

  /// Prints lines above the prompt, so that what is being typed is kept. Where a prompt is not simply repeated, the lines
  /// wait for the next screen.
  private mutating func tell(_ lines: [String]) -> [Effect] {
    let line: Effect = .print(lines.map(renderer.style.quiet))
    switch phase {
    case .listening: return [line]
    case .askingChoice: return window?.top.map { [.interruptPrompt, line, .prompt(choicePrompt(for: $0.screen))] } ?? [line]
    case .askingField: return [.interruptPrompt, line] + askField(isAgain: true)
    case .checking, .askingQuestion, .counting, .calling, .settling, .outdated, .away, .over:
      asides += lines
      return []
    }
  }
}
