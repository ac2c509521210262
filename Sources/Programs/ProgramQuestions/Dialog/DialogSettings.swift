/// The options of dialog that apply to one box.
struct DialogSettings: Sendable, Hashable {
  private(set) var flags: Set<String> = []
  private(set) var strings: [String: ProgramText] = [:]
  private(set) var numbers: [String: Int] = [:]
  /// The button that `--default-button` or `--defaultno` names.
  var defaultButton: DialogButton.Role?

  /// Whether a flag is on.
  func has(_ flag: String) -> Bool { flags.contains(flag) }

  mutating func set(_ flag: String, _ value: Bool) {
    if value { flags.insert(flag) } else { flags.remove(flag) }
  }

  mutating func set(_ name: String, _ value: ProgramText) { strings[name] = value }
  mutating func set(_ name: String, _ value: Int) { numbers[name] = value }

  private func label(_ option: String, _ usual: ProgramText) -> ProgramText { strings[option] ?? usual }

  /// The buttons of boxes that take a value.
  var okButtons: [DialogButton] { buttons(hasCancel: !has("no-cancel")) }

  /// The buttons of a message.
  var messageButtons: [DialogButton] { buttons(hasCancel: false) }

  /// The buttons of a text box.
  var exitButtons: [DialogButton] {
    if has("extra-button") { return messageButtons }
    let exit = DialogButton(.okay, label("exit-label", "EXIT"))
    guard has("help-button") else { return [exit] }
    return (has("no-ok") ? [] : [exit]) + [DialogButton(.help, label("help-label", "Help"))]
  }

  /// The buttons of a question with yes and no.
  var yesButtons: [DialogButton] {
    [DialogButton(.okay, label("yes-label", "Yes"))] + extra + [DialogButton(.cancel, label("no-label", "No"))] + help
  }

  private var extra: [DialogButton] {
    has("extra-button") ? [DialogButton(.extra, label("extra-label", "Extra"))] : []
  }

  private var help: [DialogButton] { has("help-button") ? [DialogButton(.help, label("help-label", "Help"))] : [] }

  private func buttons(hasCancel: Bool) -> [DialogButton] {
    let okay = DialogButton(.okay, label("ok-label", "OK"))
    let cancel = DialogButton(.cancel, label("cancel-label", "Cancel"))
    let all = (has("no-ok") ? [] : [okay]) + extra + (hasCancel ? [cancel] : []) + help
    return all.isEmpty ? [okay] : all
  }
}
