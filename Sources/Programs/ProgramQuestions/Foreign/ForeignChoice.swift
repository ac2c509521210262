import CoordinatorKit
import Forms

/// One of the choices that another program offers.
package struct ForeignChoice: Sendable, Hashable {
  /// The id in payloads and answers files: the shown text, followed by a number if an earlier choice has the same text.
  package let id: String
  /// The text that users see.
  package let title: String
  /// The exact text that the program reads.
  package let value: String
  /// The reason why the choice is disabled; nil if it is enabled.
  package let disabled: String?

  /// Creates choices with unique ids.
  ///
  /// - Parameters:
  ///   - choices: the text to show and the text that the program reads, for each choice.
  ///   - disabled: returns the reason why a choice is disabled; nil if it is enabled.
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
  package var item: Item { Item(id, verbatim: title, disabled: disabled) }

  /// The choice as one of a schema.
  var constant: Schema.Choice { Schema.Choice(.string(id), title: Text(verbatim: title)) }
}
