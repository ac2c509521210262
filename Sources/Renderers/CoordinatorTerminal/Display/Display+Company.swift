import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// The other people who have the flow open.
extension Display {
  mutating func take(_ participants: [Participant]) {
    let come = company.take(participants)
    guard let name = come.first, phase != .over else { return }
    notice = notice ?? Notice(.info, Company.joined(name))
  }

  /// Adopts the draft of another renderer, and records who typed it.
  mutating func takeDraft(_ draft: [String: JSONValue], on screen: UInt64) {
    let before = window?.screens.first { $0.id == screen }?.draft ?? [:]
    change(screen) { $0.draft = draft }
    views[screen]?.noteDraft(instead: before, by: typist)
  }

  /// Keeps the text typed on a screen that is gone, except for secrets, and shows that it was not sent.
  mutating func keepUnsentText(of old: PresentedScreen) {
    guard let view = views[old.id], view.isTouched else { return }
    let news = notice?.text ?? Text("The previous screen is gone.").string
    guard let text = UnsentText(view.ownDraft, of: view.fields.map(\.field)) else {
      notice = Notice(.warning, Text("{news} What was typed here has not been sent.", ["news": news]).string)
      return
    }
    unsent.append(text)
    notice = Notice(.warning, Text("{news} {unsent}", ["news": news, "unsent": text.sentence]).string)
  }

  /// The lines about unsent texts, for the end of the session. None at a kiosk, where the next person would read them.
  var unsentLines: [String] { policy == .none ? unsent.flatMap(\.lines) : [] }

  /// Draws the other people at the right of a row, and schedules the next change.
  mutating func drawCompany(into frame: inout Frame, row: Int, _ area: Area) {
    guard let now, let sentence = company.sentence(at: now) else { return }
    let text = sentence.truncated(to: area.columns, ellipsis: symbols.ellipsis)
    frame.write(Line(text, .quiet), column: area.lastColumn - text.columns + 1, row: row, within: area)
    if let change = company.nextChange(after: now) { frame.nextChange = min(frame.nextChange ?? change, change) }
  }
}
