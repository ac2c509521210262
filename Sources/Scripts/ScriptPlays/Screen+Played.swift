import CoordinatorBus
import CoordinatorKit
import Forms

extension Screen {
  /// Reads the screen that a script has described, as a daemon does.
  ///
  /// - Parameter screen: the screen.
  /// - Throws: an error that describes what is wrong with it.
  init(played screen: ProvidedScreen) throws {
    var object = screen.description.object ?? [:]
    object["busy"] = nil
    self = try Screen(describedAs: object)
    try validate()
  }
}
