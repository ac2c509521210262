/// A button of a box.
package struct DialogButton: Sendable, Hashable {
  /// The function of a button.
  package enum Role: Sendable, Hashable {
    case okay, cancel, extra, help
  }

  package var role: Role
  package var label: ProgramText

  /// Creates a button.
  package init(_ role: Role, _ label: ProgramText) { (self.role, self.label) = (role, label) }

  /// Whether the label means that the button goes back. Scripts use Cancel for that.
  var saysBack: Bool {
    let word = String(label.string.lowercased().drop { !$0.isLetter }.reversed().drop { !$0.isLetter }.reversed())
    return Self.backWords.contains(word)
  }

  private static let backWords: Set<String> = [
    "back", "go back", "previous", "prev", "zurück", "retour", "précédent", "atrás", "volver", "indietro", "voltar", "terug",
    "назад", "tillbaka", "tilbage", "wstecz", "zpět", "vissza", "戻る", "返回",
  ]
}

/// A row of a list.
package struct DialogItem: Sendable, Hashable {
  /// The text that the program prints if the row is chosen.
  package var tag: ProgramText
  /// The text next to the tag.
  package var text: ProgramText
  /// Whether the row is initially chosen.
  package var isOn = false
  /// The explanation of the row, with `--item-help`.
  package var help: ProgramText = ""
  /// Whether the tag is shown.
  package var showsTag = true

  /// Creates a row.
  package init(tag: ProgramText, text: ProgramText, isOn: Bool = false, help: ProgramText = "", showsTag: Bool = true) {
    (self.tag, self.text, self.isOn, self.help, self.showsTag) = (tag, text, isOn, help, showsTag)
  }
}

/// A field of a form.
package struct DialogField: Sendable, Hashable {
  package var label: ProgramText
  /// The initial value of the field.
  package var value: ProgramText
  /// Whether the program prints the field.
  package var isPrinted = true
  /// Whether a user can change the field.
  package var isEditable = true
  /// Whether the field holds a secret.
  package var isHidden = false
  /// The explanation of the field, with `--item-help`.
  package var help: ProgramText = ""
}
