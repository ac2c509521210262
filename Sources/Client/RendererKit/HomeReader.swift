import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages

/// Reads the contents of a front door, and caches parts that need not be read again.
struct HomeReader: Sendable {
  /// The maximum number of flow trees whose windows are read: the newest ones. The others are listed without their place.
  static let mostWindows = 100

  let daemon: DaemonClient
  let language: LanguageTag?
  private var flows: [FlowListing] = []
  private var active: [ActiveFlow] = []
  private var overviews: [ObjectPath: RouterProxy.Overview] = [:]

  init(daemon: DaemonClient, language: LanguageTag?) {
    self.daemon = daemon
    self.language = language
  }

  /// The contents that have been read.
  var home: Home {
    let listings = Dictionary(flows.map { ($0.name, $0) }) { first, _ in first }
    let running = active.map { flow in
      let overview = overviews[flow.coordinator]
      return RunningFlow(
        flow, of: listings, language: language, window: overview?.window, renderers: overview?.renderers ?? [])
    }
    return Home(running: running, flows: flows, language: language)
  }

  /// Reads the parts that have changed.
  ///
  /// - Throws: `ClientError`. The contents that were read before are kept.
  mutating func read(_ change: HomeChange) async throws(ClientError) {
    if change.flows { flows = try await daemon.manager.listFlows() }
    if change.trees { active = try await daemon.manager.listActive() }
    let shown = Set(active.sorted { $0.startedAt > $1.startedAt }.prefix(Self.mostWindows).map(\.coordinator))
    overviews = overviews.filter { shown.contains($0.key) }
    for tree in shown where overviews[tree] == nil || change.isAbout(tree) {
      guard let router = try? Contract.routerPath(of: tree) else { continue }
      do throws(ClientError) {
        overviews[tree] = try await daemon.router(router).overview()
      } catch {
        // A tree that has ended meanwhile, or whose window this version cannot read, is listed without its window.
        if error == .noDaemon { throw error }
        overviews[tree] = nil
      }
    }
  }
}

/// The parts of a front door that may have changed since it was read.
struct HomeChange: Sendable, Hashable {
  /// Whether the flows that can be started may have changed.
  var flows = false
  /// Whether flow trees may have started or ended.
  var trees = false
  /// The root coordinators of the flow trees whose windows may have changed; nil for all.
  var windows: Set<ObjectPath>? = []

  static let everything = HomeChange(flows: true, trees: true, windows: nil)

  var isEmpty: Bool { self == HomeChange() }

  /// Returns whether the window of a flow tree may have changed.
  func isAbout(_ tree: ObjectPath) -> Bool { windows?.contains(tree) ?? true }

  mutating func add(_ other: HomeChange) {
    flows = flows || other.flows
    trees = trees || other.trees
    windows = windows.flatMap { own in other.windows.map { own.union($0) } }
  }
}

/// A flow tree that runs, as a front door shows it.
public struct RunningFlow: Sendable, Hashable {
  /// The path of the root coordinator.
  public var coordinator: ObjectPath
  /// The name of its flow.
  public var flow: String
  /// The title of its flow, and the language that it is in.
  public var title: TextInLanguage
  /// The start time, in microseconds since 1970.
  public var startedAt: UInt64
  /// The window; nil if it was not read.
  public var window: MirroredWindow?
  /// The kinds of the renderers that are attached, such as "terminal".
  public var renderers: [String]

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - flow: flow tree, as the daemon lists it.
  ///   - flows: flows that the daemon lists, by name.
  ///   - language: language of the user; nil for English.
  ///   - window: window of the tree; nil if it was not read.
  ///   - renderers: kinds of the renderers that are attached.
  public init(
    _ flow: ActiveFlow, of flows: [String: FlowListing], language: LanguageTag?, window: MirroredWindow? = nil,
    renderers: [String] = []
  ) {
    coordinator = flow.coordinator
    self.flow = flow.flow
    title = flows[flow.flow]?.readableTitle(in: language) ?? TextInLanguage(text: flow.flow, language: .english)
    startedAt = flow.startedAt
    self.window = window
    self.renderers = renderers
  }

  /// The name of the tree, such as `pets_1`.
  public var name: String { TreeSelector.name(coordinator) }

  /// The screen that the tree shows; nil if it shows none, or if it is not known.
  public var top: PresentedScreen? { window?.top }

  /// The place in the flow: the title of its screen, unless that is the title of the flow itself, or the reason why it is held.
  public var place: String? {
    if let sentence = window?.heldSentence { return sentence }
    guard let title = top?.screen.title, !title.isEmpty, title != self.title.text else { return nil }
    return title
  }
}

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

/// The renderers that show a flow, in words.
public enum Presence {
  /// Returns the number of renderers of each kind that show a flow: "2 terminals, 1 browser".
  ///
  /// - Parameter kinds: kind of each renderer, such as "terminal"; "" if it gave none.
  /// - Returns: the words; without a renderer, a text that states that no user is there.
  public static func sentence(_ kinds: [String]) -> String {
    guard !kinds.isEmpty else { return Text("nobody there").string }
    let counts = Dictionary(grouping: kinds, by: \.self).mapValues(\.count).sorted { $0.key < $1.key }
    return counts.map { words($0.key, $0.value) }.joined(separator: ", ")
  }

  private static func words(_ kind: String, _ count: Int) -> String {
    switch kind {
    case "terminal": Text(one: "{count} terminal", other: "{count} terminals", count: count).string
    case "web": Text(one: "{count} browser", other: "{count} browsers", count: count).string
    case "": Text(one: "{count} program", other: "{count} programs", count: count).string
    // TRANSLATORS: A kind of renderers that is not known here, such as "recorder", and how many of them are there.
    default: Text("{count} {kind}", ["count": count, "kind": kind.printable]).string
    }
  }
}

/// The approximate time since a flow was started.
public struct FlowAge: Sendable, Hashable {
  /// The age in whole minutes.
  public let minutes: UInt64

  /// Creates an age.
  ///
  /// - Parameters:
  ///   - start: start time of the flow, in microseconds since 1970.
  ///   - now: current time, in microseconds since 1970. A start in the future counts as just now.
  public init(since start: UInt64, at now: UInt64) { minutes = now > start ? (now - start) / 60_000_000 : 0 }

  /// The age in words: "5 minutes ago".
  public var words: String {
    let minutes = Int(clamping: minutes)
    return switch minutes {
    case 0: Text("just now").string
    case ..<60: Text(one: "{count} minute ago", other: "{count} minutes ago", count: minutes).string
    case ..<1440: Text(one: "{count} hour ago", other: "{count} hours ago", count: minutes / 60).string
    default: Text(one: "{count} day ago", other: "{count} days ago", count: minutes / 1440).string
    }
  }
}
