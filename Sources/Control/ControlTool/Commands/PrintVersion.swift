import CoordinatorBus
import CoordinatorKit
import RendererKit

/// `coordinatorctl version`: prints the version of this program.
public struct PrintVersion: Sendable {
  private let output: ToolOutput

  /// Creates the command.
  public init(output: ToolOutput) { self.output = output }

  /// Prints the version.
  public func run() { output.say([Release.version], json: ["version": .string(Release.version)]) }
}
