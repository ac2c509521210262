import CoordinatorKit
import Languages
import Platform

/// A date, or a date with a time, in the format of the current language.
///
/// Renderers with better support for languages, such as browsers, may format ``internet`` themselves.
public struct LocalizedDate: Sendable, Hashable {
  /// The date according to RFC 3339, such as `2026-12-24` or `2026-12-24T17:30:00+01:00`.
  public let internet: String

  /// Creates a date from a text of that form; nil for any other text.
  public init?(_ text: String) {
    guard Schema.Format.date.matches(text) || Schema.Format.dateTime.matches(text) else { return nil }
    internet = text
  }

  /// Creates a date from a value; nil if its schema does not declare it as one.
  init?(_ value: JSONValue, in schema: Schema) {
    guard case .text(let rule) = schema.rule, rule.format == .date || rule.format == .dateTime, let text = value.string else {
      return nil
    }
    self.init(text)
  }

  /// The date in numbers, in the order of the language, and the time with its offset from UTC.
  public var text: String {
    let date = day
    guard internet.utf8.count > 10 else { return date }
    // TRANSLATORS: A date and a time, such as "24.12.2026, 17:30 (UTC+01:00)".
    return Text("{date}, {time} ({zone})", ["date": date, "time": part(11, 16), "zone": zone]).string
  }

  private var day: String {
    // TRANSLATORS: A date in numbers. The year has four digits, month and day have two.
    Text("{year}-{month}-{day}", ["year": part(0, 4), "month": part(5, 7), "day": part(8, 10)]).string
  }

  private var zone: String {
    guard !internet.bytes.uppercased.bytes.hasSuffix("Z") else { return "UTC" }
    let offset = String(decoding: internet.utf8.suffix(6), as: UTF8.self)
    return offset.bytes.hasSuffix("00:00") ? "UTC" : "UTC" + offset
  }

  /// Returns a part of the text, which is ASCII.
  private func part(_ from: Int, _ to: Int) -> String {
    String(decoding: internet.utf8.dropFirst(from).prefix(to - from), as: UTF8.self)
  }
}

extension ReviewRow {
  /// The title of the button that changes an answer.
  public static var changeTitle: String { Text("Change").string }

  /// The payload of the event ``change`` for the row; nil if its answer cannot be changed.
  public var changePayload: [String: JSONValue]? {
    screen.map { ["id": .integer(Int64(clamping: $0.number))] }
  }
}

extension Screen {
  /// Whether answers under review can be changed now. Not while the screen is busy, because the work uses them.
  private var isChangeable: Bool { progress == nil }

  /// The indices of the rows under review whose answers can be changed now.
  public var changeableRows: [Int] { isChangeable ? review.indices.filter { review[$0].screen != nil } : [] }
}

extension ReviewRow {
  /// The value under review if it is a date and nothing else. Flows provide it as text, so it is recognized by its form.
  public var date: LocalizedDate? { LocalizedDate(value) }
}
