import CoordinatorKit
import RendererKit

/// The text that `?` prints: what the prompt understands, one line for each.
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
