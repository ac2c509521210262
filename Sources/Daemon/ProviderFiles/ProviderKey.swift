import ConfigurationFiles
import CoordinatorKit
import DBus
import Platform

/// The keys of provider files.
enum ProviderKey {
  private static let provider = "Provider"
  private static let flow = "Flow"
  private static let name = "NAME"

  // MARK: [Provider]

  static let busName = ConfigurationKey<String?>(
    "BusName", in: provider,
    ValueFormat(
      expected: "a well-known bus name such as com.example.Wifi", name: "name",
      read: { Names.isWellKnownName($0) ? .some($0) : nil }, write: { $0 ?? "" }),
    default: nil, reloads: true, "The well-known bus name of the program that serves the flows. Required.")

  static let title = ConfigurationKey<String?>(
    "Title", in: provider, .limitedText, default: nil, defaultText: "the bus name", reloads: true,
    "What the program is called, for people.")

  static let version = ConfigurationKey<UInt32>(
    "Version", in: provider, .count(from: 1), default: 1, reloads: true,
    "The version of the states that the program stores.")

  static let objectPath = ConfigurationKey<String?>(
    "ObjectPath", in: provider,
    ValueFormat(
      expected: "an object path such as /com/example/Wifi", name: "path", read: { Names.isPath($0) ? .some($0) : nil },
      write: { $0 ?? "" }),
    default: nil, defaultText: ProviderFile.defaultPath.string, reloads: true,
    "The path of the program's object with the interface org.coordinatord.FlowProvider1.")

  static let user = ConfigurationKey<String?>(
    "User", in: provider, .text("the name or number of a user", name: "user"), default: nil, defaultText: "root",
    reloads: true, "On the system bus: the user, besides root, who may own the bus name.")

  static let children = ConfigurationKey<[String]>(
    "Children", in: provider, .words("names of flows, separated by spaces", name: "flows"), default: [],
    reloads: true,
    """
    The flows of others that its flows may start as children. If the key is absent, any on a session bus, and none on the \
    system bus.
    """)

  static let concurrency = ConfigurationKey<UInt32>(
    "Concurrency", in: provider,
    ValueFormat(
      expected: "a whole number from 1 to \(ProviderFile.maxConcurrency)", name: "number",
      read: { text in UInt32(text).flatMap { (1...ProviderFile.maxConcurrency).contains($0) ? $0 : nil } },
      write: { String($0) }),
    default: ProviderFile.defaultConcurrency, reloads: true,
    "How many flow trees the program may be asked about at the same time.")

  // MARK: [Flow NAME]

  static let flowTitle = ConfigurationKey<String?>(
    "Title", inEach: flow, name, .limitedText, default: nil, reloads: true,
    "The title of the flow, for people. Required.")

  static let summary = ConfigurationKey<String?>(
    "Summary", inEach: flow, name, .limitedText, default: nil, reloads: true,
    "The purpose of the flow, in one sentence.")

  static let flowVersion = ConfigurationKey<UInt32>(
    "Version", inEach: flow, name, .count(from: 1), default: 1, reloads: true,
    "The version of the states that the flow stores, if it differs from that of the program.")

  static let input = ConfigurationKey<String?>(
    "Input", inEach: flow, name, .fileName, default: nil, reloads: true,
    "The file with the JSON Schema of the flow's input. Without it, the flow takes no input.")

  static let result = ConfigurationKey<String?>(
    "Result", inEach: flow, name, .fileName, default: nil, reloads: true,
    "The file with the JSON Schema of the flow's result.")

  static let output = ConfigurationKey<String?>(
    "Output", inEach: flow, name, .fileName, default: nil, reloads: true,
    "The file with the JSON Schema of what the flow tells its parent while it lives.")

  static let router = ConfigurationKey<Router>(
    "Router", inEach: flow, name, .choice, default: .navigation, reloads: true,
    "The router of the flow if it is started on its own.")

  static let deadline = ConfigurationKey<Duration>(
    "Deadline", inEach: flow, name, .decideTime, default: .seconds(5), reloads: true,
    "How long the program may take to decide what comes of one event.")

  static let rehearsable = ConfigurationKey<Bool>(
    "Rehearsable", inEach: flow, name, .boolean, default: false, reloads: true,
    "Whether the flow may be played as a trial, because this changes nothing outside of it.")

  static let leavable = ConfigurationKey<Bool>(
    "Leavable", inEach: flow, name, .boolean, default: true, reloads: true,
    "Whether a user may leave the flow before it has ended by itself.")

  static let singleton = ConfigurationKey<Bool>(
    "Singleton", inEach: flow, name, .boolean, default: false, reloads: true,
    "Whether at most one instance of the flow runs on its own at a time.")

  static let isInternal = ConfigurationKey<Bool>(
    "Internal", inEach: flow, name, .boolean, default: false, reloads: true,
    "Whether only other flows may start the flow.")

  static let isPart = ConfigurationKey<Bool>(
    "Part", inEach: flow, name, .boolean, default: false, reloads: true,
    "Whether the flow is a part of others, which front ends do not offer to users.")

  /// The routers by their names in the contract.
  enum Router: String, CaseIterable, Sendable {
    case navigation, modal, window

    var kind: RouterKind {
      switch self {
      case .navigation: .navigation
      case .modal: .modal
      case .window: .window
      }
    }
  }

  /// All keys, in the order in which they are shown.
  static let all: [KeyEntry] = [
    busName.entry, title.entry, version.entry, objectPath.entry, user.entry, children.entry, concurrency.entry,
    flowTitle.entry, summary.entry, flowVersion.entry, input.entry, result.entry, output.entry, router.entry,
    deadline.entry, rehearsable.entry, leavable.entry, singleton.entry, isInternal.entry, isPart.entry,
  ]
}

extension ValueFormat where Value == String? {
  /// A string that fits into the listing of a flow.
  fileprivate static var limitedText: ValueFormat {
    ValueFormat(
      expected: "a text of at most \(ProviderFile.maxText) bytes", name: "text",
      read: { $0.utf8.count <= ProviderFile.maxText ? .some($0) : nil }, write: { $0 ?? "" })
  }

  /// The name of a file in the same directory.
  fileprivate static var fileName: ValueFormat {
    ValueFormat(
      expected: "the name of a file in the same directory", name: "file",
      read: { $0.bytes.contains("/") || $0 == "." || $0 == ".." ? nil : .some($0) }, write: { $0 ?? "" })
  }
}

extension ValueFormat where Value == Duration {
  /// The time limit of one `Decide`.
  fileprivate static var decideTime: ValueFormat {
    let time = ValueFormat<Duration>.time(from: .milliseconds(1))
    return ValueFormat(
      expected: "a time from 1ms to 20s, such as 500ms or 10s", name: "time",
      read: { text in time.value(of: text).flatMap { $0 <= .seconds(20) ? $0 : nil } }, write: time.text)
  }
}
