/// The lists of choices and values in debconf's lines.
enum DebconfChoices {
  /// Splits a list of choices as debconf does: at a comma with blanks, of which a backslash takes the meaning.
  static func split(_ text: String) -> [String] {
    var items: [String] = []
    var item = ""
    var rest = Substring(text)
    while let first = rest.popFirst() {
      if first == "\\", rest.first == "," || rest.first == " " {
        item.append(rest.removeFirst())
      } else if first == ",", rest.first?.isWhitespace == true {
        rest = rest.drop { $0.isWhitespace }
        items.append(item)
        item = ""
      } else {
        item.append(first)
      }
    }
    return item.isEmpty ? items : items + [item]
  }

  /// Returns those choices that the value of a multiselect contains. The value is joined without escapes, so choices
  /// with commas in them are found first.
  static func selected(in value: String, of choices: [String]) -> Set<String> {
    let byLength = choices.sorted { $0.utf8.count > $1.utf8.count }
    var selected: Set<String> = []
    var rest = Substring(value)
    while !rest.isEmpty {
      if let choice = byLength.first(where: { rest == $0 || rest.hasPrefix($0 + ", ") }) {
        selected.insert(choice)
        rest = rest.dropFirst(choice.count + 2)
      } else if let comma = rest.firstRange(of: ", ") {
        rest = rest[comma.upperBound...]
      } else {
        rest = ""
      }
    }
    return selected
  }

  /// Whether a choice of a multiselect can be answered: debconf splits the answer at each comma with a blank, without
  /// regard to escapes (trap T5).
  static func isAnswerable(_ choice: String) -> Bool { !choice.contains(", ") && !choice.isEmpty }
}
