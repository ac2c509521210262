import CoordinatorKit
import Languages
import Platform

/// The interpretation of a line as the answer to a field.
package enum FieldAnswer: Sendable, Hashable {
  /// A valid value.
  case value(JSONValue)
  /// No value: the field is omitted.
  case leftOut
  /// An invalid answer; the reason is a sentence with the title of the field as its subject.
  case wrong(String)

  /// Interprets a line.
  ///
  /// - Parameters:
  ///   - line: typed line, or several lines for a text or the entries of a list. A choice may be given by its number, title or
  ///     value.
  ///   - field: field to answer.
  ///   - offered: value for an empty line; nil for none.
  ///   - isLiteral: whether a number is a value instead of the number of a choice.
  package init(_ line: String, for field: Field, offered: JSONValue?, isLiteral: Bool = false) {
    if line.isEmpty, let offered {
      self = .value(offered)
      return
    }
    guard let value = Self.value(line, in: field.schema, isLiteral: isLiteral) else {
      let reason = Text("is not one of the choices").string
      self = line.isEmpty ? Self.nothing(for: field) : .wrong(FormReasons.sentence(reason, about: field))
      return
    }
    self.init(value, for: field)
    if line.isEmpty, case .wrong = self { self = Self.nothing(for: field) }
  }

  /// Checks a value against the field's schema.
  package init(_ value: JSONValue, for field: Field) {
    let reasons = FormReasons(Schema.object([field]).check([field.name: value]), of: [field])
    let reason = reasons.fields[field.name]?.sentence ?? reasons.others.values.min()
    self = reason.map(FieldAnswer.wrong) ?? .value(value)
  }

  /// Returns the interpretation of a missing answer, which is wrong if one is required.
  package static func nothing(for field: Field) -> FieldAnswer {
    field.isRequiredIfShown ? .wrong(FormReasons.sentence(Text("is required").string, about: field)) : .leftOut
  }

  private static func value(_ line: String, in schema: Schema, isLiteral: Bool) -> JSONValue? {
    switch schema.rule {
    case .choice(let choices): return choice(line, among: choices, isLiteral: isLiteral)
    case .boolean:
      switch line.lowercased() {
      case "true": return true
      case "false": return false
      default: return YesOrNo.value(of: line).map(JSONValue.boolean) ?? .string(line)
      }
    case .list(let rule):
      var elements: [JSONValue] = []
      let isOfObjects = FieldText.entrySchema(of: schema) != nil
      let parts = isOfObjects ? line.filledLines : line.bytes.split(separator: ",")
      for part in parts {
        if isOfObjects, part.trimmed.isEmpty { continue }
        guard let element = value(part.trimmed, in: rule.items, isLiteral: isLiteral) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    default: return FieldText.value(of: line, in: schema)
    }
  }

  private static func choice(_ line: String, among choices: [Schema.Choice], isLiteral: Bool) -> JSONValue? {
    if !isLiteral, let number = Int(line), choices.indices.contains(number - 1) { return choices[number - 1].value }
    return choices.first { $0.value.plainText.bytes.equals(line) }?.value
      ?? choices.first { $0.title?.lowercased() == line.lowercased() }?.value
  }
}

extension StringProtocol {
  /// The string without leading and trailing white space.
  package var trimmed: String {
    var rest = String(decoding: utf8, as: UTF8.self)[...].unicodeScalars
    while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

extension String {
  /// The lines that are not empty, ended by line feeds, carriage returns, or both.
  package var filledLines: [Substring] {
    utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { Substring($0) }
  }
}

/// The words that answer a question with yes or no, in English and in the language of the screen.
package enum YesOrNo {
  /// The two letters between which a user chooses: "y/n".
  package static var letters: String {
    // TRANSLATORS: The letters of yes and no, as a user may type them. The first one must be the one translated as "y"
    // below, the second one that of "n".
    Text("y/n").string
  }

  /// The same where an empty line means no: "y/N".
  package static var lettersWithNo: String {
    // TRANSLATORS: The letters of yes and no. No is in upper case, because an empty line means no.
    Text("y/N").string
  }

  /// Returns the word for a value.
  package static func word(for value: Bool) -> String { value ? Text("yes").string : Text("no").string }

  /// The letter that means yes, as a key label.
  package static var key: String { Text("y", context: "yes").string.uppercased() }

  /// Returns the choice that a line for yes or no means; nil if the choices are others than `yes` and `no`.
  package static func id(of line: String, among ids: [String]) -> String? {
    guard ids.count == 2, Set(ids.map(\.bytes)) == ["yes".bytes, "no".bytes] else { return nil }
    return value(of: line).map { $0 ? "yes" : "no" }
  }

  /// Returns the answer that a line gives; nil if it is neither yes nor no.
  package static func value(of line: String) -> Bool? {
    let line = line.lowercased()
    // TRANSLATORS: The letter and the word that mean yes, in lower case.
    if ["y", "yes", Text("y", context: "yes").string, Text("yes", context: "typed").string].contains(line) { return true }
    // TRANSLATORS: The letter and the word that mean no, in lower case.
    if ["n", "no", Text("n", context: "no").string, Text("no", context: "typed").string].contains(line) { return false }
    return nil
  }
}

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
