import CoordinatorKit
import ProviderFiles
import RendererKit

/// `coordinatorctl provider check`: checks provider files as the daemon does, without a daemon.
public struct CheckProviders: Sendable {
  private let output: ToolOutput

  /// Creates the command.
  public init(output: ToolOutput) { self.output = output }

  /// Checks files, and prints the contents of each or, with their lines, its problems.
  ///
  /// - Parameter paths: paths of the files.
  /// - Returns: the exit code; an error if any of the files has a problem.
  public func run(_ paths: [String]) -> ToolExit {
    let readings = paths.map(ProviderFile.read)
    output.say(readings.flatMap(lines), json: .array(readings.map(json)))
    return readings.allSatisfy { $0.problems.isEmpty } ? .success : .error
  }

  private func lines(_ reading: ProviderFile.Reading) -> [String] {
    guard let file = reading.file else {
      guard !reading.problems.isEmpty else { return ["\(reading.path): empty; hides files of this name".printable] }
      return reading.problems.map { $0.description.printable }
    }
    let flows = file.flows.map(\.description.name).joined(separator: " ")
    return ["\(reading.path): \(file.busName) serves \(flows)".printable]
  }

  private func json(_ reading: ProviderFile.Reading) -> JSONValue {
    var object: [String: JSONValue] = [
      "file": .string(reading.path),
      "problems": .array(
        reading.problems.map { ["place": .string($0.place), "message": .string($0.message)] }),
    ]
    object["name"] = reading.busName.map(JSONValue.string)
    object["flows"] = reading.file.map { .array($0.flows.map { .string($0.description.name) }) }
    return .object(object)
  }
}
