import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import ProviderFiles
import RendererKit

/// `coordinatorctl flows`: lists the flows that can be started.
public struct ListFlows: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints the flows that can be started.
  ///
  /// - Throws: ``ToolFailure``.
  public func run() async throws(ToolFailure) {
    let flows = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listFlows() }
      .sorted { $0.name < $1.name }
    session.output.say(
      flows.flatMap { $0.lines(style: session.output.style, language: session.daemon.language) },
      json: .array(flows.map(JSONValue.init)))
  }
}

extension FlowListing {
  /// Returns a description of the flow for users: its title and summary in their language, and its input.
  func lines(style: TextStyle, language: LanguageTag? = nil) -> [String] {
    let dash = style.isUnicode ? "–" : "-"
    let heading = [title(in: language).text, summary(in: language).text].filter { !$0.isEmpty }.map(\.printable).joined(
      separator: ". ")
    let inputs = input?.fields ?? []
    let fields = inputs.map { field in
      let presence =
        (field.isRequiredIfShown ? "" : ", optional") + (FieldText.condition(of: field, among: inputs).map { ", \($0)" } ?? "")
      return "    \(field.name.printable)=\(FieldText.kind(of: field.schema).printable)\(presence)"
        + (field.schema.title.map { "  \($0.printable)" } ?? "")
    }
    return [style.strong(name.printable) + (heading.isEmpty ? "" : " \(dash) \(heading)")] + fields
  }
}

extension JSONValue {
  /// Encodes a flow that can be started.
  init(_ flow: FlowListing) {
    var object: [String: JSONValue] = [
      "name": .string(flow.name), "title": .string(flow.title), "summary": .string(flow.summary),
      "rehearsable": .boolean(flow.isRehearsable),
    ]
    if flow.isPart { object["part"] = true }
    object["provider"] = flow.provider.map(JSONValue.string)
    object["input"] = flow.input?.json
    object["result"] = flow.result?.json
    object["output"] = flow.output?.json
    self = .object(object)
  }
}

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
