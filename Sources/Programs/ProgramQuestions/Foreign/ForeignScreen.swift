import CoordinatorKit
import Forms

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
