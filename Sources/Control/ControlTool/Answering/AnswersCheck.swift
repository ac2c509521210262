import CoordinatorAnswers
import CoordinatorClient
import CoordinatorKit
import Glibc
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
  /// - Parameters:
  ///   - flows: flows that can be started.
  ///   - internalFlows: further flows, which only other flows start.
  ///   - secrets: reader of the secrets.
  ///   - reason: why the flow is not among those that can be started; nil if nothing is known of it.
  /// - Returns: the flow to start.
  /// - Throws: ``ToolFailure`` with all problems.
  func run(
    among flows: [FlowListing], internalFlows: [String] = [], _ secrets: SecretReader,
    whereUnknown reason: String? = nil
  ) throws(ToolFailure) -> FlowListing {
    guard options.tree == nil, options.token == nil else {
      throw ToolFailure(["--check cannot be combined with --tree or --token: it leaves nothing behind"], exit: .usage)
    }
    guard let name = file.flow else { throw ToolFailure(["\(options.path.printable): does not name a 'flow' to start"]) }
    guard let listing = flows.first(where: { $0.name == name }) else {
      throw .noFlow(name, reason, among: flows)
    }
    let input = try input(listing.input)
    let names = Set(flows.map(\.name) + internalFlows)
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

  /// Builds the input of the flow. Command-line values override those of the file; null removes one.
  func input(_ schema: Schema?) throws(ToolFailure) -> [String: JSONValue] {
    AnswerText.input(file.input, schema: schema).merging(try session.object(options.input, schema)) { $1 }
      .filter { $0.value != .null }
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

/// Converts text of an answers file to the values that a schema requires.
package enum AnswerText {
  /// Converts text to a value as on a command line. For a Boolean, YAML's other words for true and false are accepted
  /// as well.
  static func value(of text: String, in schema: Schema) -> JSONValue {
    guard schema.rule == .boolean else { return FieldText.value(of: text, in: schema) }
    switch text.bytes.lowercased {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: return .string(text)
    }
  }

  /// Builds the input of a flow.
  ///
  /// - Parameters:
  ///   - values: values of the file, by key.
  ///   - schema: schema of the flow's input.
  /// - Returns: the input, unchecked. The daemon checks it and names each key that is wrong.
  package static func input(_ values: [String: AnswerValue], schema: Schema?) -> [String: JSONValue] {
    let fields = schema?.fields ?? []
    return values.reduce(into: [:]) { input, entry in
      let schema = fields.first { $0.name == entry.key }?.schema
      switch entry.value {
      case .nothing, .reference: break
      case .text(let text): input[entry.key] = schema.map { Self.value(of: text, in: $0) } ?? .string(text)
      case .list(let texts):
        if case .list(let rule)? = schema?.rule {
          input[entry.key] = .array(texts.map { Self.value(of: $0, in: rule.items) })
        } else {
          input[entry.key] = .array(texts.map(JSONValue.string))
        }
      }
    }
  }
}

/// The options of the `answer` command.
public struct AnswerOptions: Sendable, Hashable {
  /// The path of the answers file; `-` for standard input.
  public var path: String
  /// Additional input, which overrides that of the file.
  public var input: [Assignment]
  /// The flow tree to continue; nil to start a flow.
  public var tree: String?
  /// The token of the flow to start. A flow without a token is dismissed if the run stops before its end.
  public var token: String?
  /// Whether to start the flow again if the flow of the token has ended.
  public var isFresh: Bool
  /// What to do when an answer is missing; overrides the file.
  public var missing: MissingPolicy?
  /// Whether unused answers are an error.
  public var isStrict: Bool
  /// The timeout of the run, in microseconds; nil for none.
  public var limit: UInt64?
  /// The time to wait for an item that is not in its list yet, in microseconds.
  public var patience: UInt64
  /// Whether to check the file only.
  public var isCheck: Bool

  /// Creates options with the given values.
  public init(
    path: String, input: [Assignment] = [], tree: String? = nil, token: String? = nil, isFresh: Bool = false,
    missing: MissingPolicy? = nil, isStrict: Bool = false, limit: UInt64? = nil, patience: UInt64 = 30_000_000,
    isCheck: Bool = false
  ) {
    self.path = path
    self.input = input
    self.tree = tree
    self.token = token
    self.isFresh = isFresh
    self.missing = missing
    self.isStrict = isStrict
    self.limit = limit
    self.patience = patience
    self.isCheck = isCheck
  }
}

/// Reads the secrets that an answers file refers to.
package struct SecretReader: Sendable {
  /// The reason why a secret cannot be read. Names its location, never its value.
  package struct Unreadable: Error, Sendable, Hashable {
    package var reason: String
  }

  /// The maximum length of a secret, in bytes; longer than any typed secret.
  private static let longestValue = 1 << 16

  /// The directory in which systemd stores the service's credentials (see systemd.exec(5)); nil if there is none.
  var credentials: String?
  /// The time to wait for a line from a descriptor.
  var patience = Duration.seconds(30)
  /// The threads for blocking reads.
  private let threads = WorkPool(name: "secrets")

  /// Creates a reader for the environment of a process.
  package init(environment: [String: String]) { credentials = environment["CREDENTIALS_DIRECTORY"] }

  /// Reads a secret on a separate thread, because the read may block.
  func read(_ reference: SecretReference) async throws(Unreadable) -> Secret {
    try await Task(executorPreference: threads.lane()) {
      Result { () throws(Unreadable) in try readNow(reference) }
    }.value.get()
  }

  /// Throws if a secret cannot be read. Makes the same checks before the flow starts as at the later read. A descriptor is not
  /// read, because its lines can be read only once.
  func check(_ reference: SecretReference) throws(Unreadable) {
    switch reference {
    case .descriptor(let number): try Self.check(number)
    case .credential, .file: _ = try Self.contents(of: path(of: reference))
    }
  }

  private func readNow(_ reference: SecretReference) throws(Unreadable) -> Secret {
    guard case .descriptor(let number) = reference else { return try Self.contents(of: path(of: reference)) }
    try Self.check(number)
    return try line(of: number)
  }

  private func path(of reference: SecretReference) throws(Unreadable) -> String {
    switch reference {
    case .descriptor(let number): return "/dev/fd/\(number)"
    case .file(let path): return path
    case .credential(let name):
      guard let credentials, !credentials.isEmpty else {
        throw Unreadable(reason: "there is no credential '\(name)': CREDENTIALS_DIRECTORY is not set")
      }
      return "\(credentials)/\(name)"
    }
  }

  private static func check(_ descriptor: Int32) throws(Unreadable) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_WRONLY else { throw Unreadable(reason: "fd \(descriptor) is not open for reading") }
    guard isatty(descriptor) == 0 else { throw Unreadable(reason: "fd \(descriptor) is a terminal") }
  }

  /// Reads the next line byte by byte, so that the following lines are left for the next read.
  private func line(of descriptor: Int32) throws(Unreadable) -> Secret {
    let end = ContinuousClock.now + patience
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.longestValue)
    defer { Self.wipe(&bytes) }
    while bytes.count < Self.longestValue {
      let left = max(0, (end - .now).components.seconds)
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, Int32(clamping: left * 1000))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { throw Unreadable(reason: "timed out waiting for fd \(descriptor)") }
      var byte: UInt8 = 0
      let count = Glibc.read(descriptor, &byte, 1)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw Self.systemError("fd \(descriptor)") }
      if count == 0, bytes.isEmpty { throw Unreadable(reason: "fd \(descriptor) has no more lines") }
      if count == 0 || byte == UInt8(ascii: "\n") { return Secret(bytes: bytes) }
      bytes.append(byte)
    }
    throw Unreadable(reason: "the line in fd \(descriptor) is longer than \(Self.longestValue) bytes")
  }

  private static func contents(of path: String) throws(Unreadable) -> Secret {
    // `O_NONBLOCK` keeps `open` from waiting for the other end of a FIFO; the check below refuses such a file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw systemError(path) }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable(reason: "'\(path)' is not a regular file")
    }
    var bytes = [UInt8](repeating: 0, count: longestValue + 1)
    defer { wipe(&bytes) }
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw systemError(path) }
      if more == 0 { break }
      count += more
    }
    guard count <= longestValue else { throw Unreadable(reason: "'\(path)' is longer than \(longestValue) bytes") }
    if count > 0, bytes[count - 1] == UInt8(ascii: "\n") { count -= 1 }
    return Secret(bytes: bytes[..<count])
  }

  private static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
  }

  private static func systemError(_ what: String) -> Unreadable {
    Unreadable(reason: "cannot read '\(what)': \(String(cString: strerror(errno)))")
  }
}
