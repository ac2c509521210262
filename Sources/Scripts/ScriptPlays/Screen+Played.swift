import CoordinatorBus
import CoordinatorKit
import DBus
import Forms

extension Screen {
  /// Reads the screen that a script has described, as a daemon does.
  ///
  /// - Parameter screen: the screen.
  /// - Throws: an error that describes what is wrong with it.
  init(played screen: ProvidedScreen) throws {
    var object = screen.description.object ?? [:]
    object["busy"] = nil
    for (key, value) in [("name", JSONValue.string("")), ("body", .string("")), ("actions", .array([]))] where object[key] == nil
    {
      object[key] = value
    }
    self = try Screen(described: try Value.object(object, depthLimit: 32).vardict ?? [:])
    if let form { try form.validate() }
  }
}
