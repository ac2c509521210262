import CoordinatorKit
import Forms
import Platform

/// A field of a form whose texts come from another program.
package struct ForeignField: Sendable, Hashable {
  /// The kind of value that a field takes.
  package enum Kind: Sendable, Hashable {
    case text, secret, boolean
    /// One choice, or any number of them.
    case choice([ForeignChoice], severalAllowed: Bool)
  }

  /// The key in the payload.
  package let name: String
  /// The kind of value that the field takes.
  package let kind: Kind
  private let title: String
  private let summary: String
  /// The initial value; never that of a secret.
  package let value: JSONValue?

  /// Creates a field.
  package init(_ name: String, _ kind: Kind, title: String, summary: String = "", value: JSONValue? = nil) {
    (self.name, self.kind) = (name, kind)
    let title = ForeignText(title).line
    self.title = title.isEmpty ? ForeignText(name).line : title
    self.summary = ForeignText(summary).text
    self.value = kind == .secret ? nil : value
  }

  /// The field of the form, which cannot be sent without a choice: texts may be empty.
  var field: Field {
    let title = Text(verbatim: title)
    let summary = summary.isEmpty ? nil : Text(verbatim: summary)
    switch kind {
    case .text: return Field(name, .string(title: title, summary: summary)).optional
    case .secret: return Field(name, .secret(title: title, summary: summary)).optional
    case .boolean: return Field(name, .boolean(title: title, summary: summary)).optional
    case .choice(let choices, severalAllowed: false):
      return Field(name, .choice(title: title, summary: summary, of: choices.map(\.constant)))
    case .choice(let choices, severalAllowed: true):
      let rows = Schema(.choice(choices.map(\.constant)))
      return Field(name, .array(of: rows, title: title, summary: summary, isUnique: true)).optional
    }
  }
}

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

/// A text of another program, safe to show: visible characters replace control characters, escape sequences and bidirectional
/// overrides, so that a renderer shows them and a terminal does not execute them.
///
/// Marks that only hint at a direction, and joiners, which translations need, are kept.
package struct ForeignText: Sendable, Hashable {
  /// The lines, without their line breaks. Tabs are kept.
  package let lines: [String]

  /// The maximum number of code points of a text; an ellipsis replaces the rest.
  package static let limit = 64 * 1024

  /// Creates a text from a string.
  ///
  /// - Parameters:
  ///   - text: the string, with LF or CR LF between its lines.
  ///   - limit: the maximum number of code points to keep.
  package init(_ text: some StringProtocol, limit: Int = Self.limit) {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var count = 0
    var pendingReturn = false
    for scalar in text.unicodeScalars {
      if pendingReturn, scalar != "\n" { line.append("\u{240D}") }
      pendingReturn = false
      guard count < limit else {
        line.append("…")
        break
      }
      count += 1
      switch scalar {
      case "\n":
        lines.append(String(line))
        line = .init()
      case "\r": pendingReturn = true
      default: line.append(contentsOf: Self.visible(scalar))
      }
    }
    lines.append(String(line))
    self.lines = lines
  }

  /// Creates a text from bytes. Replacement characters replace bytes that are not UTF-8.
  package init(bytes: some Collection<UInt8>, limit: Int = Self.limit) {
    self.init(String(decoding: bytes, as: UTF8.self), limit: limit)
  }

  /// The text with line breaks.
  package var text: String { lines.joined(separator: "\n") }

  /// The text in one line, with a blank for each line break and tab, and without blanks at its ends.
  package var line: String {
    var rest = lines.joined(separator: " ").bytes.replacing("\t", with: " ").utf8[...]
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    return String(Substring(rest))
  }

  private static func visible(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    switch scalar.value {
    case 0x09: String(scalar).unicodeScalars
    case 0..<0x20: picture(0x2400 + scalar.value)
    case 0x7F: picture(0x2421)
    case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB, 0xE0000...0xE007F: named(scalar.value)
    default: String(scalar).unicodeScalars
    }
  }

  private static func picture(_ value: UInt32) -> String.UnicodeScalarView {
    Unicode.Scalar(value).map { String($0).unicodeScalars } ?? named(value)
  }

  private static func named(_ value: UInt32) -> String.UnicodeScalarView {
    let digits = String(value, radix: 16, uppercase: true)
    return "<U+\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)>".unicodeScalars
  }
}

/// A text of another program with its structure: paragraphs, bullets and verbatim lines, as in package descriptions and debconf
/// templates.
///
/// An empty line ends a paragraph, a line that begins with a blank is verbatim, and a line that begins with blanks and `*` or
/// `-` is a bullet. Anything else, such as HTML or Markdown, is text.
package struct ForeignProse: Sendable, Hashable {
  /// A part of the text that consists of whole lines.
  package struct Block: Sendable, Hashable {
    package var kind: Markup.Block.Kind
    package var text: String
    package var isStrong: Bool

    package init(_ kind: Markup.Block.Kind, _ text: String, isStrong: Bool = false) {
      (self.kind, self.text, self.isStrong) = (kind, text, isStrong)
    }
  }

  /// The blocks, in order.
  package private(set) var blocks: [Block] = []

  package init(blocks: [Block]) { self.blocks = blocks }

  /// Reads a text.
  package init(_ text: String) {
    for group in ForeignText(text).lines.split(whereSeparator: { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) }) {
      // A program sends a paragraph as one line. Several lines in a row, such as a diff, must stay separate lines.
      let isProse = zip(group, group.dropFirst()).allSatisfy { Self.isIndented($0) || Self.isIndented($1) }
      guard isProse else {
        blocks.append(Block(.verbatim, group.joined(separator: "\n")))
        continue
      }
      var indented: [String] = []
      for line in group {
        if Self.isIndented(line) {
          indented.append(line)
        } else {
          blocks += Self.blocks(ofIndented: indented) + [Block(.paragraph, line)]
          indented = []
        }
      }
      blocks += Self.blocks(ofIndented: indented)
    }
  }

  private static func isIndented(_ line: String) -> Bool { line.bytes.hasPrefix(" ") || line.bytes.hasPrefix("\t") }

  /// Returns the blocks of indented lines: bullets, if the first line is one, otherwise verbatim.
  private static func blocks(ofIndented lines: [String]) -> [Block] {
    guard !lines.isEmpty else { return [] }
    guard lines.first.flatMap(bullet) != nil else { return [Block(.verbatim, lines.joined(separator: "\n"))] }
    var blocks: [Block] = []
    for line in lines {
      if let text = bullet(line) {
        blocks.append(Block(.bullet, text))
      } else {
        blocks[blocks.count - 1].text += " " + unindented(line)
      }
    }
    return blocks
  }

  private static func bullet(_ line: String) -> String? {
    let text = unindented(line)
    return (text.bytes.dropping(prefix: "* ") ?? text.bytes.dropping(prefix: "- ")).map { unindented(String($0)) }
  }

  private static func unindented(_ line: String) -> String {
    String(line.unicodeScalars.drop(while: \.properties.isWhitespace))
  }

  /// The text as a screen has it.
  package var markup: Markup {
    Markup(blocks: blocks.map { Markup.Block($0.kind, [Markup.Span($0.text, $0.isStrong ? .strong : nil)]) })
  }

  /// The text without its structure, for renderers that do not draw it.
  package var plain: String { markup.plain }
}

/// Builds a screen from the texts of another program, all of which become ``ForeignText``.
package struct ForeignScreen: Sendable, Hashable {
  private var built: Screen
  private var prose: [ForeignProse.Block] = []

  /// Creates a screen without a body and actions.
  package init(_ kind: Screen.Kind, name: String, title: String) {
    built = Screen(Self.name(name), kind: kind, title: ForeignText(title).line)
  }

  /// The screen.
  package var screen: Screen {
    let prose = ForeignProse(blocks: prose)
    var screen = built
    screen.body = prose.plain
    if !prose.blocks.isEmpty { screen.markup = prose.markup }
    return screen
  }

  /// Changes parts that contain no unchecked text.
  package mutating func change(_ body: (inout Screen) -> Void) { body(&built) }

  /// Appends blocks to the body.
  package mutating func add(_ prose: ForeignProse) { self.prose += prose.blocks }

  /// Appends a paragraph to the body.
  package mutating func add(paragraph text: String, isStrong: Bool = false) {
    let line = ForeignText(text).line
    if !line.isEmpty { prose.append(.init(.paragraph, line, isStrong: isStrong)) }
  }

  /// Appends an action.
  package mutating func add(action id: String, _ title: String, _ role: Action.Role) {
    built.actions.append(Action(id, verbatim: ForeignText(title).line, role: role))
  }

  /// Appends a message.
  package mutating func add(message text: String, _ level: ScreenMessage.Level, code: String, field: String? = nil) {
    built.messages.append(ScreenMessage(level, code: code, text: Text(verbatim: ForeignText(text).line), field: field))
  }

  /// Makes the screen a form.
  package mutating func set(fields: [ForeignField]) {
    built.form = Form(fields.map(\.field))
    built.values = Dictionary(
      fields.compactMap { field in field.value.map { (field.name, $0) } }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name of a screen: one line of at most 200 bytes.
  private static func name(_ name: String) -> String {
    var line = ForeignText(name, limit: 200).line
    while line.utf8.count > 200 { line.unicodeScalars.removeLast() }
    return line
  }
}
