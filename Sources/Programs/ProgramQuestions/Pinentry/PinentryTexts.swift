import CoordinatorKit
import Forms
import Platform

/// The texts that gpg-agent has set for the next question.
struct PinentryTexts: Sendable, Hashable {
  /// The kind of question.
  enum Kind: Sendable, Hashable {
    case pin
    case confirmation(oneButton: Bool)
  }

  var title = ""
  var description = ""
  var prompt = ""
  var okay = ""
  var cancel = ""
  var notOkay = ""
  var error = ""
  /// The label of the second field; nil if the PIN is typed once.
  var repeated: String?
  var repeatError = ""
  var timeout = 0

  static let field = "pin"
  static let repeatedField = "pin-again"

  /// The question as a screen.
  func question(_ kind: Kind) -> ProgramQuestion {
    switch kind {
    case .pin: pin
    case .confirmation(let oneButton): confirmation(oneButton: oneButton)
    }
  }

  private var pin: ProgramQuestion {
    var screen = start(.form, "pinentry")
    func label(_ text: String, or usual: String) -> String {
      let label = text.bytes.dropping(suffix: ":").map(String.init) ?? text
      return label.isEmpty ? usual : label
    }
    var fields = [ForeignField(Self.field, .secret, title: label(prompt, or: "PIN"))]
    if let repeated { fields.append(ForeignField(Self.repeatedField, .secret, title: label(repeated, or: "Again"))) }
    screen.set(fields: fields)
    screen.add(action: "okay", okay.isEmpty ? "OK" : okay, .primary)
    screen.add(action: "cancel", cancel.isEmpty ? "Cancel" : cancel, .cancel)
    return ProgramQuestion(screen: screen.screen)
  }

  private func confirmation(oneButton: Bool) -> ProgramQuestion {
    var screen = start(oneButton ? .message : .menu, oneButton ? "pinentry-message" : "pinentry-confirm")
    screen.add(action: "okay", okay.isEmpty ? "OK" : okay, .primary)
    if !oneButton {
      if !notOkay.isEmpty { screen.add(action: "not-okay", notOkay, .normal) }
      screen.add(action: "cancel", cancel.isEmpty ? "Cancel" : cancel, notOkay.isEmpty ? .normal : .cancel)
    }
    return ProgramQuestion(screen: screen.screen)
  }

  private func start(_ kind: Screen.Kind, _ name: String) -> ForeignScreen {
    var screen = ForeignScreen(kind, name: name, title: title.isEmpty ? "gpg asks" : title)
    // Line breaks are significant: keys and their dates are on separate lines.
    for line in ForeignText(description).lines { screen.add(paragraph: line) }
    if !error.isEmpty { screen.add(message: error, .error, code: "pinentry") }
    return screen
  }
}
