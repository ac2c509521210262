import CoordinatorKit

/// A one-line notice below the screen.
struct Notice: Sendable, Hashable {
  var level: ScreenMessage.Level
  var text: String

  init(_ level: ScreenMessage.Level, _ text: Text) { self.init(level, text.string) }

  @_disfavoredOverload
  init(_ level: ScreenMessage.Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
