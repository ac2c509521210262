import CoordinatorAnswers
import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit

/// Checks an answers file as far as possible without starting its flow.
struct AnswersCheck {
  private let file: AnswersFile
  private let options: AnswerOptions
  private let session: ToolSession

  init(_ file: AnswersFile, _ options: AnswerOptions, _ session: ToolSession) {
    self.file = file
    self.options = options
    self.session = session
  }

  /// Checks the flow, its input, the names of flows, and that the secrets can be read.
  ///
  /// - Returns: the flow to start.
  /// - Throws: ``ToolFailure`` with all problems.
  func run(among flows: [FlowListing], _ secrets: SecretReader) throws(ToolFailure) -> FlowListing {
    guard options.tree == nil, options.token == nil else {
      throw ToolFailure(["--check cannot be combined with --tree or --token: it leaves nothing behind"], exit: .usage)
    }
    guard let name = file.flow else { throw ToolFailure(["\(options.path.printable): does not name a 'flow' to start"]) }
    guard let listing = flows.first(where: { $0.name == name }) else {
      throw ToolFailure(["there is no flow '\(name.printable)'"] + ToolSession.advice(name, among: flows))
    }
    let input = try input(listing.input)
    let names = Set(flows.map(\.name))
    var problems = (listing.input?.check(input) ?? [:]).sorted { $0.key < $1.key }.map { "input: \($0.key): \($0.value)" }
    for flow in file.flows {
      for part in flow.name.bytes.split(separator: "/") where !names.contains(String(part)) {
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

  /// Reports that the file is correct as far as it was checked, and that the flow was not played.
  func report(untried flow: FlowListing) -> ToolExit {
    session.output.say(
      [
        "The file, the flow, its input and the secrets are valid.",
        "The screens were not checked: \(flow.name.printable) does not declare that it can be played without effect.",
      ],
      json: ["tried": false, "flow": .string(flow.name)])
    return .success
  }

  /// Builds the input of the flow. Command-line values override those of the file.
  func input(_ schema: Schema?) throws(ToolFailure) -> [String: JSONValue] {
    AnswerText.input(file.input, schema: schema).merging(try session.object(options.input, schema)) { $1 }
  }
}

extension AnswersFile {
  /// All references to external values, each with the keys that lead to it.
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
  /// The values that the answer fills in.
  fileprivate var values: [String: AnswerValue] {
    switch self {
    case .values(let values): values
    case .repeated(let answer): answer.values
    case .unknown, .action, .back, .dismiss: [:]
    }
  }
}
