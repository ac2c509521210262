import Forms

/// One of the choices that another program offers.
package struct ForeignChoice: Sendable, Hashable {
  /// The id in payloads and answers files: the shown text, with a number if an earlier choice has the same.
  package let id: String
  /// What is shown.
  package let title: String
  /// What the program wants to read, exactly.
  package let value: String
  /// Why it cannot be chosen; nil if it can.
  package let disabled: String?

  /// Creates choices with ids of their own.
  ///
  /// - Parameters:
  ///   - choices: what is shown, and what the program wants to read.
  ///   - disabled: returns why a choice cannot be chosen; nil if it can.
  /// - Returns: the choices in the same order.
  package static func list(
    _ choices: [(title: String, value: String)], disabled: (String) -> String? = { _ in nil }
  ) -> [ForeignChoice] {
    var counts: [String: Int] = [:]
    var taken: Set<String> = []
    return choices.map { title, value in
      let shown = ForeignText(title).line
      var id = String(shown.unicodeScalars.prefix(200))
      if id.isEmpty { id = "-" }
      let base = id
      while !taken.insert(id).inserted {
        counts[base, default: 1] += 1
        id = "\(base)#\(counts[base, default: 2])"
      }
      return ForeignChoice(id: id, title: shown.isEmpty ? "-" : shown, value: value, disabled: disabled(value))
    }
  }

  /// The choice as an item of a list.
  package var item: JSONValue {
    var item: [String: JSONValue] = ["id": .string(id), "title": .string(title)]
    item["disabled"] = disabled.map(JSONValue.string)
    return .object(item)
  }

  /// The choice as a constant of a schema.
  var constant: JSONValue { ["const": .string(id), "title": .string(title)] }
}
