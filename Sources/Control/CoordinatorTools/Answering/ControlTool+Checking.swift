import CoordinatorAnswers
import CoordinatorClient
import CoordinatorKit

/// Finding out whether an answers file is right, as far as that can be told without starting its flow.
extension ControlTool {
  /// Checks the flow, its input, the names of flows, and that secrets can be read.
  ///
  /// - Returns: The flow.
  /// - Throws: `ToolFailure` with all that is wrong.
  func check(
    _ file: AnswersFile, _ options: AnswerOptions, _ flows: [FlowListing], _ secrets: SecretReader
  ) throws(ToolFailure) -> FlowListing {
    guard options.tree == nil, options.token == nil else {
      throw ToolFailure(["a check takes no flow tree and no token: it leaves nothing behind"], exit: .usage)
    }
    guard let name = file.flow else { throw ToolFailure(["\(options.path.printable): says no 'flow' to start"]) }
    guard let listing = flows.first(where: { $0.name == name }) else {
      throw ToolFailure(["there is no flow '\(name.printable)'"] + Self.advice(name, among: flows))
    }
    let input = try self.input(of: file, options, listing.input)
    let names = Set(flows.map(\.name))
    var problems = (listing.input?.check(input) ?? [:]).sorted { $0.key < $1.key }.map { "input: \($0.key): \($0.value)" }
    for flow in file.flows {
      for part in flow.name.split(separator: "/") where !names.contains(String(part)) {
        problems.append("answers: \(flow.name): there is no flow '\(part)'")
      }
    }
    for (keys, reference) in file.references {
      do {
        try secrets.check(reference)
      } catch {
        problems.append((keys + [error.reason]).joined(separator: ": "))
      }
    }
    guard problems.isEmpty else { throw ToolFailure(problems.map { "\(options.path): \($0)".printable }) }
    return listing
  }

  /// Says that a flow was not played.
  func report(untried flow: FlowListing) -> ToolExit {
    output.say(
      [
        "The file, the flow, its input and the secrets are right.",
        "The screens were not tried: \(flow.name.printable) does not say that it may be played without effect.",
      ],
      json: ["tried": false, "flow": .string(flow.name)])
    return .success
  }

  /// What to start the flow with: what the command line says goes first.
  func input(
    of file: AnswersFile, _ options: AnswerOptions, _ schema: Schema?
  ) throws(ToolFailure) -> [String: JSONValue] {
    AnswerText.input(file.input, schema: schema).merging(try object(options.input, schema)) { $1 }
  }
}

extension AnswersFile {
  /// Where values are read, with the keys that lead there.
  fileprivate var references: [(keys: [String], reference: SecretReference)] {
    var found: [(keys: [String], reference: SecretReference)] = []
    for flow in flows {
      for screen in flow.coordinators.joined() {
        for answer in screen.answers {
          for (field, value) in answer.values.sorted(by: { $0.key < $1.key }) {
            guard case .reference(let reference) = value else { continue }
            found.append((["answers", flow.name, screen.name, field], reference))
          }
        }
      }
    }
    return found
  }
}

extension ScreenAnswer {
  /// What is filled in.
  fileprivate var values: [String: AnswerValue] {
    switch self {
    case .values(let values): values
    case .repeated(let answer): answer.values
    case .unknown, .action, .back, .dismiss: [:]
    }
  }
}
