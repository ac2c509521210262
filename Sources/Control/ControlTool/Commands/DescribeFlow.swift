import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import RendererKit

/// `coordinatorctl flows NAME`: describes flows that can be started.
public struct DescribeFlow: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints all information about flows.
  ///
  /// - Parameter names: names of the flows.
  /// - Throws: ``ToolFailure`` if one of the flows does not exist.
  public func run(_ names: [String]) async throws(ToolFailure) {
    let flows = try await find(names)
    session.output.say(
      Array(flows.map { $0.description(style: session.output.style, language: session.daemon.language) }.joined(separator: [""])),
      json: flows.count == 1 ? JSONValue(flows[0]) : .array(flows.map(JSONValue.init)))
  }

  /// Prints the beginning of an answers file for a flow.
  ///
  /// - Parameter name: name of the flow.
  /// - Throws: ``ToolFailure`` if the flow does not exist.
  public func stub(_ name: String) async throws(ToolFailure) {
    let lines = try await find([name])[0].stub
    session.output.say(lines, json: ["stub": .string(lines.map { $0 + "\n" }.joined())])
  }

  private func find(_ names: [String]) async throws(ToolFailure) -> [FlowListing] {
    let flows = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listFlows() }
    var found: [FlowListing] = []
    for name in names {
      guard let flow = flows.first(where: { $0.name == name }) else {
        throw Self.unknown(name, among: flows)
      }
      found.append(flow)
    }
    return found
  }

  /// Returns the failure of a command for a flow that does not exist.
  static func unknown(_ name: String, among flows: [FlowListing]) -> ToolFailure {
    ToolFailure(
      ["there is no flow '\(name.printable)'"] + ToolSession.advice(name, among: flows), cause: .unknown, name: "UnknownFlow")
  }
}

extension FlowListing {
  /// Returns all information about the flow, for users.
  func description(style: TextStyle, language: LanguageTag? = nil) -> [String] {
    let facts = [
      isRehearsable ? "can be rehearsed: 'coordinatorctl answer --check' plays it" : nil,
      isPart ? "is a part of other flows" : nil,
      provider.map { "served by \($0.printable)" } ?? "built into the daemon",
      titles.isEmpty ? nil : "translated to \(titles.keys.map(\.bcp47).sorted().joined(separator: ", "))",
    ]
    return [lines(style: style, language: language)[0]] + Self.section("input", input) + Self.section("result", result)
      + Self.section("output", output) + facts.compactMap(\.self).map { "  " + style.quiet($0) }
  }

  private static func section(_ title: String, _ schema: Schema?) -> [String] {
    guard let schema, !schema.fields.isEmpty else { return [] }
    return ["  \(title):"]
      + schema.fields.map { field in
        let remarks = [field.isRequiredIfShown ? nil : "optional", FieldText.condition(of: field, among: schema.fields)]
        return "    \(field.name.printable)=\(FieldText.kind(of: field.schema).printable)"
          + remarks.compactMap { $0.map { ", \($0)" } }.joined() + (field.schema.title.map { "  \($0.printable)" } ?? "")
      }
  }

  /// The lines of an answers file that starts the flow. Its screens are unknown until they are shown.
  var stub: [String] {
    var lines = ["flow: \(name)"]
    let fields = input?.fields ?? []
    if !fields.isEmpty {
      lines.append("input:")
      lines += fields.map { field in
        let isNeeded = field.isRequiredIfShown && field.schema.defaultValue == nil
        let line = "\(field.name):   # \(FieldText.kind(of: field.schema))"
        return (isNeeded ? "  " : "  # ") + line + (field.schema.title.map { ", \($0)" } ?? "")
      }
    }
    return
      (lines + [
        "answers:", "  \(name): {}", "    # SCREEN: ANSWER, as printed by: coordinatorctl show --stub",
      ]).map(\.printable)
  }
}
