import CoordinatorBus
import CoordinatorKit
import Forms
import ScriptEngine

extension Question {
  /// Throws if the question could not be shown.
  ///
  /// The daemon refuses such a screen as well, but cannot tell the author where the question stands.
  ///
  /// - Parameters:
  ///   - name: the name of the question.
  ///   - place: where it stands in the script.
  /// - Throws: ``ScriptCrash``, which names the field, the keyword and the reason.
  func check(_ name: String, at place: String) throws(ScriptCrash) {
    do {
      var described = screen
      described["busy"] = nil
      let screen = try Screen(describedAs: described)
      try screen.validate()
    } catch let error as MalformedScreen {
      throw ScriptCrash("the question \(name) cannot be shown: \(error.fault)", at: place)
    } catch {
      throw ScriptCrash("the question \(name) cannot be shown: \(error)", at: place)
    }
  }
}
