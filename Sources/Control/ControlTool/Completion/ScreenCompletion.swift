import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit

/// The words of a command line that can be sent to a screen. A value without I/O.
struct ScreenCompletion: Sendable {
  var window: MirroredWindow

  /// The events that can be sent now.
  var events: [String] {
    guard let screen = window.top?.screen else { return [] }
    return screen.actions.filter { $0.disabled == nil }.map(\.id) + (screen.items == nil ? [] : [Event.select])
      + (ReviewChanges(on: screen, among: window.screens).targets.isEmpty ? [] : [ReviewRow.change])
  }

  /// Returns the words that can follow an event.
  ///
  /// - Parameters:
  ///   - event: name of the event.
  ///   - given: words that already follow it.
  ///   - current: beginning of the word to complete.
  /// - Returns: the words; none if the event takes none.
  func words(after event: String, _ given: [String], current: String) -> [String] {
    guard let screen = window.top?.screen else { return [] }
    switch event {
    case Event.select where screen.items != nil:
      let ids = (screen.items ?? []).filter { $0.disabled == nil }.map(\.id).filter { !given.contains($0) }
      let key = screen.choosing?.count == nil ? "id=" : "ids="
      return current.bytes.hasPrefix(key) ? ids.map { key + $0 } : ids
    case ReviewRow.change where !screen.review.isEmpty:
      let names = ReviewChanges(on: screen, among: window.screens).names
      return current.bytes.hasPrefix("id=") ? names.map { "id=\($0)" } : names
    default:
      guard screen.actions.contains(where: { $0.id == event && $0.role == .primary }) else { return [] }
      return Self.assignments(of: screen.form?.fields ?? [], given)
    }
  }

  /// Returns assignments to fields: one with each possible value, if they are few, and otherwise up to the value.
  ///
  /// - Parameters:
  ///   - fields: fields of a form or an input.
  ///   - given: words that the command line already contains.
  /// - Returns: the words that begin with the name of a field and `=`.
  static func assignments(of fields: [Field], _ given: [String]) -> [String] {
    fields.filter { field in field.isList || !given.contains { $0.bytes.hasPrefix("\(field.name)=") } }.flatMap { field in
      if field.schema.isSecret { return ["\(field.name)=@-"] }
      let values = Self.values(of: field.schema)
      return values.isEmpty ? ["\(field.name)="] : values.map { "\(field.name)=\($0)" }
    }
  }
}

extension ScreenCompletion {
  /// Returns the values that a schema allows, if they are few.
  private static func values(of schema: Schema) -> [String] {
    switch schema.rule {
    case .boolean: ["true", "false"]
    case .choice(let choices): choices.map(\.value.plainText)
    case .list(let rule): values(of: rule.items)
    default: []
    }
  }
}

extension Field {
  fileprivate var isList: Bool { if case .list = schema.rule { true } else { false } }
}
