import CoordinatorKit
import DBus

/// The Swift counterpart of coordinatord's D-Bus contract: its names, paths and interfaces.
///
/// `Docs/org.coordinatord.Coordinator1.xml` is the contract itself; a test compares the two.
public enum Contract {
  // The command line refuses an invalid name in the environment; a library falls back to the standard name.
  private static let daemon = (try? DaemonName.chosen()) ?? .standard
  /// The well-known bus name of the daemon that this process implements or calls: see ``DaemonName/choose(_:)``.
  public static let busName = daemon.busName
  /// The well-known bus name of the program that serves scripts to this daemon.
  package static let scriptsName = daemon.scriptsName
  /// The well-known bus name of the program that serves those scripts of the system that run as root.
  package static let scriptsOfRootName = "\(daemon.scriptsName).root"
  /// The path of the object that has the Manager and ObjectManager interfaces.
  public static let rootPath = daemon.rootPath
  /// The path of the object whose children are the root coordinators.
  public static let flowsPath = (try? daemon.rootPath.appending("flows")) ?? "/org/coordinatord/Coordinator1/flows"
  /// The last element of a router's path.
  public static let routerElement = "router"

  /// The name of the interface that starts flows and reports their outcomes.
  public static let managerInterface = "org.coordinatord.Coordinator1.Manager"
  /// The name of the interface of a running coordinator.
  public static let coordinatorInterface = "org.coordinatord.Coordinator1.Coordinator"
  /// The name of the interface through which a flow tree's screens are shown.
  public static let routerInterface = "org.coordinatord.Coordinator1.Router"
  /// The prefix of the contract's error names.
  public static let errorPrefix = "org.coordinatord.Coordinator1.Error."

  /// The maximum nesting depth of objects and arrays, in both directions.
  public static let maximumDepth = JSONValue.maximumSentDepth

  /// Returns the path of a root coordinator.
  ///
  /// - Parameter root: the caller's token, or the flow's name and a number, such as `pets_1`.
  /// - Returns: the path.
  /// - Throws: `InvalidName` if `root` is not a valid path element.
  public static func flowPath(root: String) throws(InvalidName) -> ObjectPath {
    try flowsPath.appending(root)
  }

  /// Returns the path of a flow tree's router.
  ///
  /// - Parameter root: the path of the tree's root coordinator.
  /// - Returns: the path.
  /// - Throws: `InvalidName` if the path would be too long.
  public static func routerPath(of root: ObjectPath) throws(InvalidName) -> ObjectPath {
    try root.appending(routerElement)
  }

  /// Returns the root of the flow tree that an object belongs to.
  ///
  /// - Parameter path: the path of any coordinator or router.
  /// - Returns: the path of the root coordinator; nil if `path` is not below `flowsPath`.
  public static func root(of path: ObjectPath) -> ObjectPath? {
    guard path.isBelow(flowsPath) else { return nil }
    let elements = path.elements
    guard elements.count > flowsPath.elements.count else { return nil }
    return try? flowPath(root: String(elements[flowsPath.elements.count]))
  }
}

extension Contract {
  /// Lists the names of the features that this version of the contract adds to its first version, in the order of the Manager's
  /// property `Features`.
  public static let features = [
    "answering", "choosing", "confirm", "countdown", "defaults", "durations", "elapses", "endings", "flow-pages", "force",
    "forget", "fresh", "languages", "last-transition", "leaves", "live", "markup", "parts", "pictures", "proposals",
    "providers", "results", "review", "review-keys", "singletons", "steps", "suggestions", "titles", "ways",
  ]
}

extension Value {
  /// Creates a dictionary of texts by language, a tag of BCP 47; nil if there are none.
  package init?(translations: [LanguageTag: String]) {
    // Languages that differ only by a modifier have the same tag.
    let texts = Dictionary(translations.sorted { $0.key.description < $1.key.description }.map { ($0.key.bcp47, $0.value) }) {
      first, _ in first
    }
    guard !texts.isEmpty else { return nil }
    self = .dictionary(
      key: .string, value: .string,
      texts.sorted { $0.key < $1.key }.map { DictionaryEntry(key: .string($0.key), value: .string($0.value)) })
  }
}

extension CoordinatorPath {
  /// The object path. It always exists, because names contain only characters that are valid in a path element.
  package var objectPath: ObjectPath { (try? ObjectPath(Contract.flowsPath.string + "/" + text)) ?? Contract.flowsPath }

  /// The object path of the tree's router.
  package var routerPath: ObjectPath {
    (try? ObjectPath("\(Contract.flowsPath.string)/\(root)/\(Contract.routerElement)")) ?? Contract.flowsPath
  }

  /// Creates the path of the coordinator or router with an object path; returns nil for the path of any other object.
  package init?(objectPath: ObjectPath) {
    guard objectPath.isBelow(Contract.flowsPath) else { return nil }
    self.init(text: String(Substring(objectPath.string.utf8.dropFirst(Contract.flowsPath.string.utf8.count + 1))))
  }

  /// Whether this is the path of a tree's router, not of a coordinator.
  package var isRouter: Bool { name == Contract.routerElement && depth == 2 }
}

extension Contract {
  /// The name of the interface that a provider of flows implements.
  public static let flowProviderInterface = "org.coordinatord.FlowProvider1"

  /// The interface through which the daemon asks a provider for its decision on an event.
  public static let flowProvider = InterfaceDescription(
    flowProviderInterface,
    methods: [
      MethodDescription(
        "Decide",
        inputs: [
          Argument("flow", "s"), Argument("instance", "s"), Argument("turn", "t"), Argument("state", "s"),
          Argument("event", "a{sv}"), Argument("context", "a{sv}"),
        ],
        outputs: [Argument("answer", "a{sv}")]),
      MethodDescription(
        "Perform",
        inputs: [
          Argument("flow", "s"), Argument("instance", "s"), Argument("work", "s"), Argument("attempt", "u"),
          Argument("argument", "s"), Argument("secrets", "a{ss}"),
        ]),
      MethodDescription("CancelWork", inputs: [Argument("instance", "s"), Argument("work", "s")], annotations: [noReply]),
      MethodDescription("Ended", inputs: [Argument("instance", "s"), Argument("outcome", "s")], annotations: [noReply]),
      MethodDescription("Release", inputs: [Argument("flows", "as"), Argument("reason", "s")], annotations: [noReply]),
    ])

  private static let noReply = Annotation("org.freedesktop.DBus.Method.NoReply", "true")
}

extension Contract {
  /// The interface of a running coordinator.
  public static let coordinator = InterfaceDescription(
    coordinatorInterface,
    methods: [
      MethodDescription(
        "Delegate",
        inputs: [
          Argument("screen", "t"), Argument("event", "s"),
          Argument("payload", "a{sv}"), Argument("options", "a{sv}"),
        ],
        outputs: [Argument("revision", "t")]),
      MethodDescription(
        "Dismiss",
        inputs: [Argument("animated", "b"), Argument("options", "a{sv}")],
        outputs: [Argument("revision", "t")]),
      MethodDescription(
        "StartChild",
        inputs: [
          Argument("flow", "s"), Argument("input", "a{sv}"),
          Argument("options", "a{sv}"),
        ],
        outputs: [Argument("child", "o")]),
      MethodDescription("MayAnswer", outputs: [Argument("may", "b"), Argument("reason", "s")]),
    ],
    signals: [
      SignalDescription(
        "ChildEnded",
        arguments: [Argument("child", "o"), Argument("outcome", "s")])
    ],
    properties: [
      PropertyDescription("Flow", "s", emitsChanged: .const),
      PropertyDescription("Parent", "o", emitsChanged: .const),
      PropertyDescription("Children", "ao"),
      PropertyDescription("Router", "o", emitsChanged: .const),
      PropertyDescription("Screens", "at", emitsChanged: .false),
      PropertyDescription("StartedAt", "t", emitsChanged: .const),
      PropertyDescription("Held", "s"),
    ])
}

extension Contract {
  /// The interface through which a flow tree's screens are shown.
  public static let router = InterfaceDescription(
    routerInterface,
    methods: [
      MethodDescription(
        "Attach", inputs: [Argument("capabilities", "a{sv}")],
        outputs: [Argument("revision", "t"), Argument("screens", "aa{sv}")]),
      MethodDescription("Detach"),
      MethodDescription(
        "Back", inputs: [Argument("screen", "t"), Argument("options", "a{sv}")],
        outputs: [Argument("revision", "t")]),
      MethodDescription(
        "SaveDraft", inputs: [Argument("screen", "t"), Argument("values", "a{sv}"), Argument("options", "a{sv}")]),
      MethodDescription(
        "ProposeLanguage", inputs: [Argument("language", "s"), Argument("options", "a{sv}")],
        outputs: [Argument("revision", "t")]),
    ],
    signals: [
      SignalDescription(
        "Answered",
        arguments: [
          Argument("revision", "t"), Argument("screen", "t"), Argument("event", "s"),
          Argument("kind", "s"), Argument("client", "s"),
        ]),
      SignalDescription(
        "Presented",
        arguments: [
          Argument("revision", "t"), Argument("screen", "a{sv}"),
          Argument("animated", "b"),
        ]),
      SignalDescription(
        "Updated",
        arguments: [
          Argument("revision", "t"), Argument("screen", "t"),
          Argument("changed", "a{sv}"), Argument("removed", "as"),
        ]),
      SignalDescription(
        "Live",
        arguments: [Argument("screen", "t"), Argument("changed", "a{sv}"), Argument("removed", "as")]),
      SignalDescription(
        "Progress",
        arguments: [Argument("screen", "t"), Argument("progress", "a{sv}")]),
      SignalDescription(
        "Drafted",
        arguments: [Argument("screen", "t"), Argument("draft", "a{sv}"), Argument("client", "s")]),
      SignalDescription(
        "Dismissed",
        arguments: [
          Argument("revision", "t"), Argument("screen", "t"),
          Argument("reason", "s"), Argument("animated", "b"),
        ]),
      SignalDescription(
        "Settled",
        arguments: [Argument("revision", "t"), Argument("top", "t")]),
    ],
    properties: [
      PropertyDescription("Coordinator", "o", emitsChanged: .const),
      PropertyDescription("Revision", "t", emitsChanged: .false),
      PropertyDescription("Screens", "aa{sv}", emitsChanged: .false),
      PropertyDescription("Renderers", "aa{sv}"),
      PropertyDescription("Language", "s"),
      PropertyDescription("LastTransition", "a{sv}", emitsChanged: .false),
    ])
}

extension Contract {
  /// The interface that starts flows and reports their outcomes.
  public static let manager = InterfaceDescription(
    managerInterface,
    methods: [
      MethodDescription(
        "StartFlow", inputs: startArguments,
        outputs: [Argument("coordinator", "o"), Argument("router", "o")]),
      MethodDescription("RunFlow", inputs: startArguments, outputs: outcomeArguments),
      MethodDescription(
        "GetOutcome", inputs: [Argument("coordinator", "o")], outputs: outcomeArguments),
      MethodDescription("GetEnding", inputs: [Argument("root", "o")], outputs: [Argument("ending", "a{sv}")]),
      MethodDescription("ListActive", outputs: [Argument("flows", "a(osst)")]),
      MethodDescription("ListEnded", outputs: [Argument("flows", "a(osss)")]),
      MethodDescription("ListFlows", outputs: [Argument("flows", "aa{sv}")]),
      MethodDescription(
        "ListFlowsAfter", inputs: [Argument("after", "s"), Argument("count", "u")],
        outputs: [Argument("flows", "aa{sv}"), Argument("more", "b")]),
      MethodDescription("Forget", inputs: [Argument("token", "s")], outputs: [Argument("forgotten", "b")]),
      MethodDescription("RetryHeld", outputs: [Argument("taken_up", "u"), Argument("held", "u")]),
      MethodDescription(
        "RegisterFlows",
        inputs: [Argument("provider", "o"), Argument("flows", "aa{sv}"), Argument("options", "a{sv}")],
        outputs: [Argument("waiting", "u")]),
      MethodDescription("UnregisterFlows", inputs: [Argument("flows", "as")]),
      MethodDescription(
        "EndWork", inputs: [Argument("instance", "s"), Argument("work", "s"), Argument("result", "a{sv}")]),
      MethodDescription(
        "ReportWork", inputs: [Argument("instance", "s"), Argument("work", "s"), Argument("progress", "a{sv}")]),
      MethodDescription("ReadState", inputs: [Argument("coordinator", "o")], outputs: [Argument("state", "s")]),
      MethodDescription("ListProviders", outputs: [Argument("providers", "aa{sv}")]),
    ],
    signals: [
      SignalDescription(
        "FlowStarted",
        arguments: [Argument("coordinator", "o"), Argument("flow", "s")]),
      SignalDescription(
        "FlowEnded",
        arguments: [
          Argument("coordinator", "o"), Argument("flow", "s"),
          Argument("outcome", "s"),
        ]),
      SignalDescription("FlowsChanged", arguments: [Argument("added", "as"), Argument("removed", "as")]),
    ],
    properties: [
      PropertyDescription("Version", "s", emitsChanged: .const),
      PropertyDescription("Features", "as", emitsChanged: .const),
      PropertyDescription("Languages", "a(ss)", emitsChanged: .const),
      PropertyDescription("ActiveFlows", "u"),
      PropertyDescription("Renderers", "u"),
      PropertyDescription("MaxFlows", "u", emitsChanged: .const),
      PropertyDescription("MaxFlowsPerClient", "u", emitsChanged: .const),
      PropertyDescription("MaxDepth", "u", emitsChanged: .const),
      PropertyDescription("MaxItems", "u", emitsChanged: .const),
      PropertyDescription("MaxPayload", "u", emitsChanged: .const),
      PropertyDescription("MaxOutcomes", "u", emitsChanged: .const),
      PropertyDescription("MaxRegisteredFlows", "u", emitsChanged: .const),
      PropertyDescription("MaxRegisteredBytes", "u", emitsChanged: .const),
    ])

  private static let startArguments = [
    Argument("flow", "s"), Argument("input", "a{sv}"),
    Argument("options", "a{sv}"),
  ]
  private static let outcomeArguments = [Argument("outcome", "s"), Argument("result", "a{sv}")]
}
