import CoordinatorKit
import Platform

/// The reasons for a refusal, assigned to the fields of a form.
///
/// A reason that concerns an entry of a list is keyed by its place, such as `addresses[2].ip`, and belongs to the field
/// of the list.
package struct FormReasons: Sendable, Hashable {
  /// The reason why a field is invalid.
  package struct Reason: Sendable, Hashable {
    /// The sentence that every renderer shows, beside the field and elsewhere: the reason with the title of the field as its
    /// subject, unless it is a sentence of the form's author.
    package var sentence: String
  }

  /// The reasons, by the name of the field.
  package private(set) var fields: [String: Reason] = [:]
  /// The reasons that concern no field of the form, by key.
  package private(set) var others: [String: String] = [:]

  /// Assigns reasons to fields.
  ///
  /// - Parameters:
  ///   - reasons: reasons by field or place, as the daemon gives them.
  ///   - form: fields of the form.
  package init(_ reasons: [String: String], of form: [Field]) {
    for (key, reason) in reasons.sorted(by: { $0.key < $1.key }) {
      if let field = form.first(where: { $0.name.bytes.equals(key) }) {
        add(Self.sentence(reason, about: field), to: field)
      } else if let (field, entry, member) = Self.place(key, in: form) {
        add(Self.sentence(reason, entry: entry, member: member, of: field), to: field)
      } else {
        others[key] = reason
      }
    }
  }

  /// The sentences, by the name of the field.
  package var texts: [String: String] { fields.mapValues(\.sentence) }

  /// The reasons that concern no field of the form, as sentences.
  package var otherSentences: [String] {
    others.sorted { $0.key < $1.key }.map { Self.sentence($0.value.printable, about: $0.key.printable) }
  }

  /// Returns the sentence above several invalid fields, which says how many there are.
  package static func summary(of count: Int) -> String {
    Text(one: "There is a problem with {count} answer.", other: "There are problems with {count} answers.", count: count)
      .string
  }

  /// Returns the reason with the title of the field as its subject; a sentence of the form's author is unchanged.
  ///
  /// - Parameters:
  ///   - reason: reason why the field is invalid, in a form that follows its title.
  ///   - field: field that is invalid.
  /// - Returns: the sentence.
  package static func sentence(_ reason: String, about field: Field) -> String {
    guard reason != field.schema.message else { return reason }
    let subject = subject(field.schema.title ?? field.name)
    // "E-mail address is not an e-mail address" would not help.
    if case .text(let rule) = field.schema.rule, let format = rule.format, let example = format.example,
      reason == format.refusal.string
    {
      // TRANSLATORS: What is wrong with an answer, such as "E-mail address must look like user@example.org".
      return Text("{field} must look like {example}", ["field": subject, "example": example]).string
    }
    // TRANSLATORS: What is wrong with an answer, such as "Name is required".
    return Text("{field} {reason}", ["field": subject, "reason": reason]).string
  }

  /// Returns the reason with a subject.
  ///
  /// - Parameters:
  ///   - reason: reason why the value is invalid, in a form that follows the subject: "is required".
  ///   - subject: subject of the sentence.
  /// - Returns: the sentence: "Name is required".
  package static func sentence(_ reason: String, about subject: String) -> String {
    Text("{field} {reason}", ["field": subject, "reason": reason]).string
  }

  private static func sentence(_ reason: String, entry: Int, member name: String?, of field: Field) -> String {
    guard case .list(let list) = field.schema.rule else { return sentence(reason, about: field) }
    let subject = subject(field.schema.title ?? field.name)
    guard name != nil || reason == list.items.message else {
      // TRANSLATORS: What is wrong with an entry of a list, such as "Hosts, entry 3 must have 1 to 4 characters".
      return Text("{field}, entry {number} {reason}", ["field": subject, "number": entry, "reason": reason]).string
    }
    let member = name.map { name in
      list.items.fields.first { $0.name == name } ?? Field(name, .string(title: Text(verbatim: name)))
    }
    let reason = member.map { sentence(reason, about: $0) } ?? reason
    // TRANSLATORS: What is wrong with an entry of a list, such as "Hosts, entry 3: IP address is required".
    return Text("{field}, entry {number}: {reason}", ["field": subject, "number": entry, "reason": reason]).string
  }

  /// Returns the title of a field as the subject of a sentence: a question is quoted.
  private static func subject(_ title: String) -> Text {
    guard let last = title.last, last.isPunctuation, !")]}”»\"'".contains(last) else { return Text(verbatim: title) }
    return Text("“{title}”", ["title": title])
  }

  private mutating func add(_ sentence: String, to field: Field) {
    let former = fields[field.name].map { $0.sentence + "; " } ?? ""
    fields[field.name] = Reason(sentence: former + sentence)
  }

  /// Finds the field that a place such as `addresses[2].ip` belongs to, the number of the entry counted from 1, and the
  /// name of the entry's field; nil if no field of the form contains the place.
  private static func place(_ key: String, in form: [Field]) -> (field: Field, entry: Int, member: String?)? {
    for field in form {
      guard case .list = field.schema.rule,
        let (number, rest) = key.bytes.dropping(prefix: field.name + "[")?.bytes.cut(at: "]"), let index = Int(number),
        index >= 0, index < .max
      else { continue }
      if rest.isEmpty { return (field, index + 1, nil) }
      if let member = rest.bytes.dropping(prefix: ".") { return (field, index + 1, String(member)) }
    }
    return nil
  }
}
