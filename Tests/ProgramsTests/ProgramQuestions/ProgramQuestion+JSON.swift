import DialogTrial
import Forms
import ProgramQuestions

extension ProgramQuestion {
  /// The screen as keepers tell of it.
  var told: JSONValue { screen.told }
}
