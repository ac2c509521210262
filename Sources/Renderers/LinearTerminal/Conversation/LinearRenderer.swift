import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// Renders a screen as plain lines, from top to bottom, suitable for any terminal, a pipe, or a screen reader.
public struct LinearRenderer: Sendable, Hashable {
  /// The style of lines.
  public var style: TextStyle
  /// Whether the ids of actions, items and fields follow their titles, for users who send events from scripts.
  public var showsIDs: Bool

  /// Creates a renderer.
  public init(style: TextStyle, showsIDs: Bool = false) {
    self.style = style
    self.showsIDs = showsIDs
  }

  /// Returns the lines of the whole screen: text, fields, items, actions.
  ///
  /// - Parameters:
  ///   - screen: screen to render.
  ///   - draft: draft of its form, by field.
  ///   - now: current time, for a countdown; nil for none.
  /// - Returns: the lines.
  public func lines(for screen: Screen, draft: [String: JSONValue] = [:], now: Timestamp? = nil) -> [String] {
    var blocks = blocks(of: screen, now: now)
    blocks.append(screen.form.map { fields(of: $0, values: screen.values, draft: draft) } ?? [])
    blocks.append(choices(of: screen))
    return Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  /// Returns the line with the time of an automatic change; empty if there is none.
  private func countdown(of screen: Screen, now: Timestamp?) -> [String] {
    guard let now, let countdown = Countdown(of: screen, at: now) else { return [] }
    return [Text("{sentence}.", ["sentence": countdown.sentence]).string]
  }

  /// Returns the heading of a screen, without messages, progress and countdown.
  func heading(of screen: Screen) -> [String] {
    var screen = screen
    (screen.messages, screen.progress) = ([], nil)
    return Array(blocks(of: screen, now: nil).joined(separator: [""]))
  }

  /// Returns the content of a screen, in blocks that empty lines separate. There is no rule and no empty line between a title
  /// and the text below it, because a screen reader would spell the rule and pause at the empty line.
  func blocks(of screen: Screen, now: Timestamp?) -> [[String]] {
    var blocks: [[String]] = []
    var last: ScreenPart?
    for part in ScreenPart.allCases {
      let lines = lines(of: part, screen, now: now)
      guard !lines.isEmpty else { continue }
      let continues = last == .title && screen.step == nil && [.text, .picture, .review].contains(part)
      if continues { blocks[0] += lines } else { blocks.append(lines) }
      last = part
    }
    return blocks
  }

  private func lines(of part: ScreenPart, _ screen: Screen, now: Timestamp?) -> [String] {
    switch part {
    case .title: [style.strong(screen.title.printable)] + (screen.step.map { [$0.readable] } ?? [])
    case .messages: messages(of: screen)
    case .text: text(of: screen)
    case .picture: screen.picture.map(lines(of:)) ?? []
    case .progress: screen.progress.map { [line(for: $0)] } ?? []
    case .countdown: countdown(of: screen, now: now)
    case .review: screen.review.flatMap(lines(of:))
    case .answer: []
    }
  }

  /// Returns the messages of the screen. A message about a field names the field.
  public func messages(of screen: Screen) -> [String] {
    screen.messages.map { message in
      let field = message.field.flatMap { name in screen.form?.fields.first { $0.name == name } }
      let about = field.map { ($0.schema.title ?? $0.name).printable }
      let text = message.text.printable
      return line(for: message.level, about.map { Text("{label}: {text}", ["label": $0, "text": text]).string } ?? text)
    }
  }

  /// Returns the line of a message.
  public func line(for level: ScreenMessage.Level, _ text: String) -> String {
    switch level {
    case .error: mark(Text("Error: {message}", ["message": text]).string, text, style.alarming)
    case .warning: mark(Text("Warning: {message}", ["message": text]).string, text, style.warning)
    case .info: Text("Note: {message}", ["message": text]).string
    }
  }

  /// Returns the line with the progress of work.
  public func line(for progress: CoordinatorKit.Progress) -> String {
    var parts: [String] = []
    if let fraction = progress.fraction { parts.append(Percentage.text(of: fraction)) }
    if let text = progress.text, !text.isEmpty { parts.append(text.printable) }
    return parts.isEmpty ? Text("Working").string : parts.joined(separator: " ")
  }

  /// Formats the part of a line before the message, at any position in a translation.
  private func mark(_ line: String, _ message: String, _ format: (String) -> String) -> String {
    line.bytes.dropping(suffix: message).map { format(String($0)) + message } ?? line
  }

  /// The dash between a title and its explanation.
  var dash: String { style.isUnicode ? "–" : "-" }

  /// Returns the numbered choices: the items of a list, then the actions.
  public func choices(of screen: Screen) -> [String] {
    let choices = ScreenChoice.all(of: screen)
    let width = String(choices.count).utf8.count
    var group: String?
    return choices.enumerated().flatMap { index, choice in
      headings(before: choice, after: &group) + [line(for: choice, number: index + 1, width: width)]
    }
  }

  /// Returns the heading of a choice's group if the choice before it belongs to another group. An empty line separates
  /// choices without a group from a group.
  func headings(before choice: ScreenChoice, after group: inout String?) -> [String] {
    let next = choice.group
    defer { group = next }
    guard next != group else { return [] }
    return next.map { [style.strong($0.printable + ":")] } ?? [""]
  }

  /// Returns the line of a choice.
  ///
  /// - Parameters:
  ///   - choice: choice to render.
  ///   - number: its number.
  ///   - width: width of the largest number, in characters.
  ///   - marks: parts that match the user's search, which are highlighted if the style has colors.
  /// - Returns: the line.
  func line(for choice: ScreenChoice, number: Int, width: Int, marks: RowMarks? = nil) -> String {
    let number = String(number)
    let padding = String(repeating: " ", count: max(width - number.utf8.count, 0))
    var line = "  \(padding)\(number)) " + marked(choice.title.printable, marks?.title ?? []) { $0 }
    if let subtitle = choice.subtitle, !subtitle.isEmpty {
      line += style.quiet(" \(dash) ") + marked(subtitle.printable, marks?.subtitle ?? [], style.quiet)
    }
    return showsIDs ? line + style.quiet("  [\(choice.id.printable)]") : line
  }

  /// Returns a text with some of its characters in bold, and the remaining ones in another format.
  private func marked(_ text: String, _ ranges: [Range<Int>], _ format: (String) -> String) -> String {
    guard style.isColoured, !ranges.isEmpty else { return format(text) }
    let characters = Array(text)
    var (line, end) = ("", 0)
    for range in ranges where range.lowerBound >= end && range.upperBound <= characters.count {
      line += format(String(characters[end..<range.lowerBound])) + style.strong(String(characters[range]))
      end = range.upperBound
    }
    return line + format(String(characters[end...]))
  }

  /// Returns the lines of a form's fields with their values.
  ///
  /// - Parameters:
  ///   - form: form to render.
  ///   - values: values that the flow fills in, by field.
  ///   - draft: draft of the form, by field; overrides `values`.
  /// - Returns: a line for each field.
  public func fields(of form: Form, values: [String: JSONValue], draft: [String: JSONValue] = [:]) -> [String] {
    form.fields.map { field in
      var line = "  " + Text("{question}: ", ["question": FieldText.title(of: field)]).string
      if field.schema.isSecret {
        line += style.quiet(Text("(secret)").string)
      } else if let typed = draft[field.name] {
        line += FieldText.text(of: typed, in: field.schema).printable + style.quiet(" " + Text("(typed, not sent)").string)
      } else if let value = values[field.name] ?? field.schema.defaultValue {
        line += FieldText.text(of: value, in: field.schema)
      }
      if !field.isRequiredIfShown { line += style.quiet(" " + Text("(optional)").string) }
      if let condition = FieldText.condition(of: field, among: form.fields) { line += style.quiet(" (\(condition))") }
      return showsIDs ? line + style.quiet("  [\(field.name.printable)]") : line
    }
  }
}
