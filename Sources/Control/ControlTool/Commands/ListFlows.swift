import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
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
