import CoordinatorKit

/// The reasons for a refusal, assigned to the fields of a form.
///
/// A reason that concerns an entry of a list is keyed by its place, such as `addresses[2].ip`, and belongs to the field
/// of the list.
package struct FormReasons: Sendable, Hashable {
  /// Why a field is invalid.
  package struct Reason: Sendable, Hashable {
    /// The text to show beside the field.
    package var text: String
    /// The text to show elsewhere: after the field's title, unless it is a sentence of the form's author.
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
      if let field = form.first(where: { $0.name == key }) {
        let isOwn = reason == field.schema.message
        add(Reason(text: reason, sentence: isOwn ? reason : Self.sentence(reason, about: Self.title(of: field))), to: field)
      } else if let (field, entry, member) = Self.place(key, in: form) {
        let text = Self.text(for: reason, entry: entry, member: member, of: field)
        add(Reason(text: text, sentence: Self.sentence(text, within: field)), to: field)
      } else {
        others[key] = reason
      }
    }
  }

  /// The texts to show beside the fields, by name.
  package var texts: [String: String] { fields.mapValues(\.text) }

  /// The sentences by field.
  package var sentences: [String: String] { fields.mapValues(\.sentence) }

  /// The reasons that concern no field of the form, as sentences.
  package var otherSentences: [String] {
    others.sorted { $0.key < $1.key }.map { Self.sentence($0.value.printable, about: $0.key.printable) }
  }

  private mutating func add(_ reason: Reason, to field: Field) {
    guard let other = fields[field.name] else {
      fields[field.name] = reason
      return
    }
    fields[field.name] = Reason(
      text: Self.joined(other.text, reason.text), sentence: Self.joined(other.sentence, reason.text))
  }

  /// Finds the field that a place such as `addresses[2].ip` belongs to, the number of the entry counted from 1, and the
  /// name of the entry's field; nil if no field of the form contains the place.
  private static func place(_ key: String, in form: [Field]) -> (field: Field, entry: Int, member: String?)? {
    for field in form where key.hasPrefix(field.name + "[") {
      guard case .list = field.schema.rule else { continue }
      let rest = key.dropFirst(field.name.count + 1)
      guard let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end]), index >= 0, index < .max else { continue }
      let after = rest[rest.index(after: end)...]
      guard after.isEmpty || after.first == "." else { continue }
      return (field, index + 1, after.isEmpty ? nil : String(after.dropFirst()))
    }
    return nil
  }

  private static func text(for reason: String, entry: Int, member name: String?, of field: Field) -> String {
    guard case .list(let list) = field.schema.rule else { return reason }
    guard let name else {
      return reason == list.items.message
        ? Text("entry {number}: {message}", ["number": entry, "message": reason]).string
        : Text("entry {number} {reason}", ["number": entry, "reason": reason]).string
    }
    let member = list.items.fields.first { $0.name == name }
    let problem = reason == member?.schema.message ? reason : sentence(reason, about: member.map(title(of:)) ?? name)
    return Text("entry {number}: {message}", ["number": entry, "message": problem]).string
  }

  /// Returns a reason as a sentence about what it is the reason for.
  ///
  /// - Parameters:
  ///   - reason: the reason, to be read after the title: "is required".
  ///   - title: the title.
  /// - Returns: the sentence: "Name is required".
  package static func sentence(_ reason: String, about title: String) -> String {
    // TRANSLATORS: Such as "Name is required". The reason is one of the texts that are translated as predicates, such as
    // "is required" and "must be a number"; write it as it follows, for example after a colon.
    Text("{title} {reason}", ["title": title, "reason": reason], context: "error").string
  }

  private static func sentence(_ problem: String, within field: Field) -> String {
    // TRANSLATORS: Such as "Hosts, entry 2: Address is required".
    Text("{title}, {problem}", ["title": title(of: field), "problem": problem], context: "error").string
  }

  private static func joined(_ first: String, _ second: String) -> String {
    // TRANSLATORS: Two reasons why an answer is not accepted.
    Text("{first}; {second}", ["first": first, "second": second]).string
  }

  private static func title(of field: Field) -> String { field.schema.title ?? field.name }
}
