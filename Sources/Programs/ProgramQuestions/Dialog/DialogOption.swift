import Platform

/// An option of dialog 1.3-20230209.
struct DialogOption: Sendable, Hashable {
  /// The value that an option takes.
  enum Kind: Sendable, Hashable {
    /// No value. The associated value is the flag that the option sets.
    case flag(Bool)
    /// A number, or a string.
    case number, string
    /// Values that the code of the option reads itself.
    case other
    /// A box, with the minimum and the maximum number of its words, including its name; 0 for no maximum.
    case box(Int, Int)
  }

  /// The name without `--`.
  var name: String
  /// The canonical name of the option.
  var code: String
  var kind: Kind
  /// The places where the option is valid: 1 before a box, 2 as a box, 4 elsewhere. The bits can be combined.
  var pass: Int

  static let all: [DialogOption] =
    flags.map { DialogOption(name: $0, code: $0, kind: .flag(true), pass: 1) }
    + [DialogOption(name: "no-shadow", code: "use-shadow", kind: .flag(false), pass: 1)]
    + aliases.map { DialogOption(name: $0, code: $1, kind: .flag(true), pass: 1) }
    + numbers.map { DialogOption(name: $0, code: $0, kind: .number, pass: 1) }
    + strings.map { DialogOption(name: $0, code: $1, kind: .string, pass: 1) }
    + others.map { DialogOption(name: $0, code: $0, kind: .other, pass: $1) }
    + boxes.map { DialogOption(name: $0, code: $0 == "guage" ? "gauge" : $0, kind: .box($1, $2), pass: 2) }

  /// Finds an option. Its name can have a leading `no` or `no-`.
  static func find(_ word: ProgramText, pass: Int, again: Bool = true) -> DialogOption? {
    guard word.begins(with: "--"), word.bytes.count > 2, word.bytes[2].isASCIILetter else { return nil }
    let name = ProgramText(word.bytes.dropFirst(2)).string
    if let found = byName[name]?.first(where: { $0.pass & pass != 0 }) { return found }
    guard again else { return nil }
    if let rest = name.bytes.dropping(prefix: "no-") ?? name.bytes.dropping(prefix: "no") {
      return find(ProgramText("--no-\(rest)"), pass: pass, again: false)
        ?? find(ProgramText("--\(rest)"), pass: pass, again: false)
    }
    return find(ProgramText("--no-\(name)"), pass: pass, again: false)
  }

  /// Returns the value of a flag, which depends on a leading `no` in the given spelling.
  func flag(as word: ProgramText) -> Bool {
    guard case .flag(let usual) = kind, word != ProgramText("--\(name)") else { return kind == .flag(true) }
    return word.begins(with: "--no") == name.bytes.hasPrefix("no") ? usual : !usual
  }

  private static let byName = Dictionary(grouping: all, by: \.name)

  private static let flags = [
    "allow-close", "ascii-lines", "auto-placement", "beep", "beep-after", "begin", "clear", "colors", "cr-wrap",
    "cursor-off-label", "defaultno", "erase-on-exit", "extra-button", "fixed-font", "help-button", "help-status", "help-tags",
    "insecure", "item-help", "keep-colors", "keep-tite", "keep-window", "last-key", "no-cancel", "no-close", "no-collapse",
    "no-hot-list", "no-kill", "no-lines", "no-mouse", "no-nl-expand", "no-ok", "print-size", "print-text-only", "quoted",
    "screen-center", "scrollbar", "separate-output", "single-quoted", "size-err", "smooth", "tab-correct", "trim",
    "under-mouse", "visit-items", "fb", "fullbutton", "iso-week", "no-items", "no-tags", "reorder",
  ]
  private static let aliases = [
    "noitem": "no-items", "notags": "no-tags", "scrolltext": "scrollbar", "topleft": "begin",
  ]
  private static let numbers = ["aspect", "max-input", "sleep", "tab-len", "timeout"]
  private static let strings = [
    "backtitle": "backtitle", "cancel-label": "cancel-label", "cancel-button": "cancel-label",
    "column-separator": "column-separator", "date-format": "date-format", "default-button": "default-button",
    "default-item": "default-item", "exit-label": "exit-label", "extra-label": "extra-label", "help-label": "help-label",
    "hfile": "hfile", "hline": "hline", "icon": "icon", "no-label": "no-label", "no-button": "no-label",
    "ok-label": "ok-label", "ok-button": "ok-label", "output-separator": "output-separator", "separator": "output-separator",
    "separate-widget": "separate-widget", "time-format": "time-format", "title": "title", "wmclass": "wmclass",
    "yes-label": "yes-label", "yes-button": "yes-label", "week-start": "week-start",
  ]
  private static let others = [
    "and-widget": 4, "create-rc": 1, "help": 4, "ignore": 1, "input-fd": 1, "output-fd": 1, "print-maxsize": 1,
    "print-text-size": 5, "print-version": 5, "stderr": 1, "stdout": 1, "version": 5, "trace": 1,
  ]
  private static let boxes = [
    ("yesno", 4, 4), ("msgbox", 4, 4), ("infobox", 4, 4), ("textbox", 4, 4), ("menu", 6, 0), ("inputmenu", 6, 0),
    ("checklist", 7, 0), ("radiolist", 7, 0), ("inputbox", 4, 5), ("passwordbox", 4, 5), ("gauge", 4, 5), ("guage", 4, 5),
    ("pause", 5, 5), ("prgbox", 4, 5), ("programbox", 3, 4), ("progressbox", 3, 4), ("passwordform", 13, 0), ("form", 13, 0),
    ("mixedgauge", 5, 0), ("mixedform", 13, 0), ("tailbox", 4, 4), ("tailboxbg", 4, 4), ("calendar", 4, 7), ("dselect", 4, 5),
    ("editbox", 4, 4), ("fselect", 4, 5), ("timebox", 4, 7), ("buildlist", 4, 0), ("rangebox", 5, 7), ("treeview", 4, 0),
  ]
}
