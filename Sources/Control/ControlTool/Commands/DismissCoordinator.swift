import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import Platform
import RendererKit

/// `coordinatorctl dismiss`: ends coordinators.
public struct DismissCoordinator: Sendable {
  private let session: ToolSession
  private let isForced: Bool

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - session: session with the daemon.
  ///   - isForced: whether to end coordinators without asking their flows, which only root and the daemon's own user may.
  public init(_ session: ToolSession, isForced: Bool = false) {
    self.session = session
    self.isForced = isForced
  }

  /// Ends a coordinator and its children; nil means the root of the only active tree. The request key makes the call
  /// safe to repeat.
  ///
  /// - Throws: ``ToolFailure``.
  public func run(_ coordinator: String?, request: String?) async throws(ToolFailure) {
    let path = try await session.coordinator(coordinator)
    let revision = try await dismiss(path, request: request)
    try await ScreenReport(session).print(revision, Contract.root(of: path) ?? path)
  }

  /// Ends several coordinators. All names are looked up before any of them ends.
  ///
  /// - Parameters:
  ///   - coordinators: coordinators as commands name them.
  ///   - complain: closure that writes the failure to end one of them.
  /// - Returns: the exit code; an error if one of them could not be ended.
  /// - Throws: ``ToolFailure`` if one of them is not known. None has ended then.
  public func run(_ coordinators: [String], complain: (String) -> Void) async throws(ToolFailure) -> ToolExit {
    var paths: [ObjectPath] = []
    for text in coordinators { paths.append(try await session.coordinator(text)) }
    return await dismiss(paths, mayHaveEnded: false, complain: complain)
  }

  /// Ends all flow trees, or those of a flow.
  ///
  /// - Parameters:
  ///   - flow: name of the flow; nil for all flow trees.
  ///   - confirm: closure that asks the user, if renderers are attached to the flow trees.
  ///   - complain: closure that writes the failure to end one of them.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func all(
    of flow: String?, confirm: (String) -> Bool, complain: (String) -> Void
  ) async throws(ToolFailure) -> ToolExit {
    let trees = try await session.doing { () async throws(ClientError) in
      try await session.daemon.manager.listActive().filter { flow == nil || $0.flow == flow }
    }.map(\.coordinator)
    // A flow that is no longer served may still have trees, which are held.
    if let flow, trees.isEmpty {
      let flows = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listFlows() }
      guard flows.contains(where: { $0.name == flow }) else { throw DescribeFlow.unknown(flow, among: flows) }
    }
    var renderers = 0
    for tree in trees { renderers += (try? await session.participants(of: tree).flatMap(\.titles).count) ?? 0 }
    if renderers > 0 {
      let question =
        "\(Self.text(of: trees.count, "flow tree")), \(Self.text(of: renderers, "renderer")) attached: end them? [y/N] "
      guard confirm(question) else { throw ToolFailure(["nothing was dismissed"], exit: .error, name: "NotConfirmed") }
    }
    return await dismiss(trees, mayHaveEnded: true, complain: complain)
  }

  /// Ends coordinators one after the other. A descendant of another one has ended with it.
  private func dismiss(_ paths: [ObjectPath], mayHaveEnded: Bool, complain: (String) -> Void) async -> ToolExit {
    var exit = ToolExit.success
    var dismissed: [String] = []
    for path in paths {
      let name = path.string.bytes.dropping(prefix: "\(Contract.flowsPath.string)/").map(String.init) ?? path.string
      do throws(ToolFailure) {
        _ = try await dismiss(path, request: nil)
        dismissed.append(name)
      } catch  where error.cause == .unknown && (mayHaveEnded || dismissed.contains { name.bytes.hasPrefix($0 + "/") }) {
        // The coordinator has ended meanwhile, perhaps together with another one of these.
      } catch {
        let lines = [name.printable + ": " + (error.lines.first ?? "")] + error.lines.dropFirst()
        complain("coordinatorctl: \(lines.joined(separator: "\n"))\n")
        exit = error.cause
      }
    }
    session.output.say(
      dismissed.map { "\($0.printable) was dismissed." }, json: ["dismissed": .array(dismissed.map(JSONValue.string))])
    return exit
  }

  private func dismiss(_ path: ObjectPath, request: String?) async throws(ToolFailure) -> UInt64 {
    do throws(ClientError) {
      let options = Options(request: request, force: isForced ? true : nil)
      return try await session.namedDaemon.coordinator(path).dismiss(options: options)
    } catch .refused(.notDismissable(let message)) {
      let command = "coordinatorctl dismiss --force \(TreeSelector.name(path).printable)"
      throw ToolFailure(
        .refused(.notDismissable(message: message)), advice: ["  root and the daemon's own user can end it with: \(command)"])
    } catch .failed(let error) where isForced && error.isUnknownOption(.force) {
      throw ToolFailure(
        [
          "the daemon is older than this command, and cannot force the end of a flow",
          "  restart it if it has been upgraded; 'coordinatorctl status' prints its version",
        ], name: "Unsupported")
    } catch {
      throw ToolFailure(error)
    }
  }

  private static func text(of count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

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
