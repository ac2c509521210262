import CoordinatorKit
import ScriptEngine

extension ProvidedWork.End {
  /// The end of a step or a look that somebody stands for.
  ///
  /// - Parameter ending: how it has ended.
  /// - Returns: the end.
  package static func ended(_ ending: StepEnding) -> ProvidedWork.End { .done(WorkOutcome.ended(ending).text) }

  /// The end of a step that was cut short: nobody knows how far it has got.
  package static var cutShort: ProvidedWork.End { .done(WorkOutcome.interrupted.text) }
}
