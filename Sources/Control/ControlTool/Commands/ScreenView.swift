import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import RendererKit

/// The parts of a window that `coordinatorctl show` prints. A value without I/O.
public struct ScreenView: Sendable, Hashable {
  /// The name of the screen to print, which may be covered; nil for the one on top.
  public var screen: String?
  /// Whether to print all screens, bottom first.
  public var isAll: Bool
  /// The text that items of a list must match; nil for all items.
  public var pattern: String?
  /// Whether to omit ids, hints and formatting, so that only the user's view remains.
  public var isPlain: Bool
  /// Whether to print the lines of an answers file that would answer the screen.
  public var isStub: Bool

  /// Creates a view; by default, that of the screen on top.
  public init(
    screen: String? = nil, isAll: Bool = false, pattern: String? = nil, isPlain: Bool = false, isStub: Bool = false
  ) {
    self.screen = screen
    self.isAll = isAll
    self.pattern = pattern
    self.isPlain = isPlain
    self.isStub = isStub
  }

  /// Whether the view is that of the screen on top alone, complete.
  var isWhole: Bool { screen == nil && !isAll && pattern == nil }

  /// Returns the screens to print, bottom first. Without a choice, these are all screens, because the JSON output has always
  /// contained all of them.
  ///
  /// - Throws: ``ToolFailure`` if there is no screen of the name.
  func screens(of window: MirroredWindow) throws(ToolFailure) -> [PresentedScreen] {
    var screens = window.screens
    if let screen {
      guard let named = screens.last(where: { $0.screen.name == screen }) else {
        let names = screens.reversed().map(\.screen.name.printable)
        throw ToolFailure(
          ["no screen is called '\(screen.printable)'"]
            + (names.isEmpty ? [] : ["  screens, the one on top first: \(names.joined(separator: ", "))"]),
          cause: .unknown, name: "UnknownScreen")
      }
      screens = [named]
    }
    guard let pattern else { return screens }
    return screens.map { presented in
      guard let items = presented.screen.items else { return presented }
      var filtered = presented
      filtered.screen.items = RowFilter(items).matches(pattern).rows.map { items[$0] }
      return filtered
    }
  }

  /// Returns whether the printed screens contain the pattern.
  func isMatched(by window: MirroredWindow) -> Bool {
    guard pattern != nil else { return true }
    let screens = isAll ? window.screens : window.screens.suffix(1)
    return screens.contains { $0.screen.items?.isEmpty == false }
  }
}
