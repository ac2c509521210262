import CoordinatorClient
import DBus
import Languages

/// An entry of a front door.
public enum HomeEntry: Sendable, Hashable {
  /// A flow that runs, and can be attached to.
  case running(RunningFlow)
  /// A flow that can be started.
  case startable(FlowListing)

  /// The identity of an entry, which stays the same when the entry changes.
  public enum ID: Sendable, Hashable {
    case running(ObjectPath)
    case startable(String)
  }

  /// The identity of the entry.
  public var id: ID {
    switch self {
    case .running(let flow): .running(flow.coordinator)
    case .startable(let flow): .startable(flow.name)
    }
  }

  /// The heading of the group that the entry belongs to.
  public var group: String {
    switch self {
    // TRANSLATORS: The heading of the flows that run.
    case .running: Text("Running").string
    // TRANSLATORS: The heading of the flows that can be started.
    case .startable: Text("Start", context: "heading").string
    }
  }

  /// Returns the title of the flow.
  ///
  /// - Parameter language: language of the user; nil for English.
  /// - Returns: the title, and the language that it is in.
  public func title(in language: LanguageTag?) -> TextInLanguage {
    switch self {
    case .running(let flow): flow.title
    case .startable(let flow): flow.readableTitle(in: language)
    }
  }

  /// Returns the details of the flow, in parts that a renderer separates: its place, its renderers, and its age; or its
  /// purpose.
  ///
  /// - Parameters:
  ///   - language: language of the user; nil for English.
  ///   - now: current time, in microseconds since 1970.
  /// - Returns: the parts that are not empty.
  public func details(in language: LanguageTag?, at now: UInt64) -> [String] {
    let parts =
      switch self {
      case .running(let flow):
        [flow.place ?? "", Presence.sentence(flow.renderers), FlowAge(since: flow.startedAt, at: now).words]
      case .startable(let flow): [flow.summary(in: language).text]
      }
    return parts.filter { !$0.isEmpty }
  }
}
