import Platform

/// Parses the lists of choices and values in debconf's lines.
enum DebconfChoices {
  /// Splits a list of choices as debconf does: at a comma followed by blanks; a backslash escapes either.
  static func split(_ text: String) -> [String] {
    var items: [String] = []
    var item: [UInt8] = []
    var rest = text.utf8[...]
    func end() {
      items.append(String(decoding: item, as: UTF8.self))
      item = []
    }
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "\\"), let next = rest.first, ", ".utf8.contains(next) {
        item.append(rest.removeFirst())
      } else if first == UInt8(ascii: ","), rest.first?.isASCIISpace == true {
        rest = rest.drop(while: \.isASCIISpace)
        end()
      } else {
        item.append(first)
      }
    }
    if !item.isEmpty { end() }
    return items
  }

  /// Returns those choices that the value of a multiselect contains. debconf joins the value without escapes, so choices with
  /// commas are matched first.
  static func selected(in value: String, of choices: [String]) -> Set<String> {
    let byLength = choices.sorted { $0.utf8.count > $1.utf8.count }
    var selected: Set<String> = []
    var rest = Substring(value)
    while !rest.isEmpty {
      if let choice = byLength.first(where: { rest.bytes.equals($0) || rest.bytes.hasPrefix($0 + ", ") }) {
        selected.insert(choice)
        rest = rest.bytes.dropping(prefix: choice + ", ") ?? ""
      } else {
        rest = rest.bytes.cut(at: ", ")?.after ?? ""
      }
    }
    return selected
  }

  /// Whether a choice of a multiselect can be answered: debconf splits the answer at each comma followed by a blank, and
  /// ignores escapes (trap T5).
  static func isAnswerable(_ choice: String) -> Bool { !choice.bytes.contains(", ") && !choice.isEmpty }
}
