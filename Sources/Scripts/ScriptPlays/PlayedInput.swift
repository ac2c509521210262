import ControlTool
import CoordinatorAnswers
import CoordinatorClient
import CoordinatorKit
import Forms
import RendererKit

/// The input that an answers file gives a flow.
package enum PlayedInput {
  /// Returns the input as the schema requires it.
  ///
  /// - Parameters:
  ///   - file: the answers file.
  ///   - schema: the JSON Schema of the flow's input; nil if there is none.
  /// - Returns: the input.
  /// - Throws: `ToolFailure` if the flow has no such input.
  package static func values(_ file: AnswersFile, schema: JSONValue?) throws -> [String: JSONValue] {
    let schema = try schema.map { try Schema(json: $0) }
    return AnswerText.input(file.input, schema: schema)
  }
}

extension AnswerPlay.Ending {
  /// The lines that say how the flow has ended.
  package var text: String { (FlowEnd(outcome).resultLines.map { "\($0)\n" }).joined() }

  /// The exit code, as that of `coordinatorctl answer`.
  package var exit: ToolExit { FlowEnd(outcome).exitCode }
}
