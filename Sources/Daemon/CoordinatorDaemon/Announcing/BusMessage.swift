import CoordinatorBus
import CoordinatorKit
import DBus

/// A message that announces a change on the bus.
enum BusMessage: Sendable {
  /// The signal `Presented` of a router. Its screen is encoded when it is sent, so that the first message of a transition
  /// can be on its way meanwhile; see `Link.writeSoon()`.
  case presented(ObjectPath, revision: UInt64, ShownScreen, animated: Bool)
  /// A signal of the contract.
  case signal(ObjectPath, interface: String, member: String, [Value])
  /// `InterfacesAdded` for a new object.
  case added(ObjectPath)
  /// `InterfacesRemoved` for an object with one interface.
  case removed(ObjectPath, interface: String)
  /// `PropertiesChanged` for one property.
  case changed(String, interface: String, ObjectPath)
}

extension BusMessage {
  /// The message with its screen encoded, to be sent several times.
  var encoded: BusMessage {
    guard case .presented(let router, let revision, let screen, let animated) = self else { return self }
    return .signal(
      router, interface: Contract.routerInterface, member: "Presented",
      RouterSignal.presentedBody(revision: revision, screen: screen.value(), animated: animated))
  }
}

/// The messages that announce a published transition on the bus, in the order that the contract guarantees.
///
/// A pure value: it is computed from the publication, and sends nothing.
struct Announcement: Sendable {
  /// Announces coordinators that were started, and drafts that were saved.
  private(set) var beginning: [BusMessage] = []
  /// Announces the changes that renderers draw. If one of these messages cannot be sent, the ones after it must not be sent
  /// either: renderers then notice a gap in the revisions, and read the screens again.
  private(set) var screens: [BusMessage] = []
  /// Announces properties that changed, and coordinators that ended.
  private(set) var ending: [BusMessage] = []

  /// Computes the messages for a publication.
  ///
  /// - Parameters:
  ///   - publication: the stored transition.
  ///   - before: the tree's previously published state; nil at its start.
  ///   - flow: the name of the tree's flow; nil if unknown.
  ///   - renderers: the renderers that are attached to the tree, by unique name.
  init(_ publication: Publication, before: TreeState?, flow: String?, renderers: [String: RendererCapabilities]) {
    addStarted(publication, flow)
    addDrafts(publication)
    if publication.changesScreens { addScreens(publication, renderers) }
    addProperties(publication)
    addEnded(publication, before)
  }

  // MARK: The beginning

  private mutating func addStarted(_ publication: Publication, _ flow: String?) {
    for record in publication.started {
      beginning.append(.added(record.path.objectPath))
      if record.path.parent == nil { beginning.append(.added(record.path.routerPath)) }
    }
    guard publication.isStart, let flow else { return }
    beginning.append(.ofManager("FlowStarted", [.objectPath(publication.state.root.objectPath), .string(flow)]))
  }

  private mutating func addDrafts(_ publication: Publication) {
    for screen in publication.drafted {
      let client = publication.occasion.caller?.name ?? ""
      beginning.append(
        .ofRouter(
          publication.state.root.routerPath, .drafted(screen: screen.id.number, draft: screen.draftVardict, client: client)))
    }
  }

  // MARK: Screens

  private mutating func addScreens(_ publication: Publication, _ renderers: [String: RendererCapabilities]) {
    // Created once, because creating a path validates it.
    let router = publication.state.root.routerPath
    let revision = publication.state.revision
    if let answer = publication.occasion.answer(renderers) {
      screens.append(.ofRouter(router, .answered(revision: revision, answer)))
    }
    for dismissed in publication.dismissed {
      screens.append(
        .ofRouter(
          router,
          .dismissed(
            revision: revision, screen: dismissed.screen.number, reason: dismissed.reason.rawValue, animated: dismissed.animated))
      )
    }
    for presented in publication.presented {
      screens.append(.presented(router, revision: revision, presented.screen, animated: presented.animated))
    }
    for updated in publication.updated {
      let changed = updated.screen.vardict(only: updated.keys)
      let removed = updated.keys.map(\.rawValue).filter { changed[$0] == nil }.sorted()
      screens.append(
        .ofRouter(
          router, .updated(revision: revision, screen: updated.screen.id.number, changed: changed, removed: removed)))
    }
    screens.append(.ofRouter(router, .settled(revision: revision, top: publication.state.window.top?.id.number ?? 0)))
  }

  // MARK: The ending

  private mutating func addProperties(_ publication: Publication) {
    if publication.isStart || publication.isEnd {
      ending.append(.changed("ActiveFlows", interface: Contract.managerInterface, Contract.rootPath))
    }
    if publication.changesLanguage, !publication.isStart {
      ending.append(.changed("Language", interface: Contract.routerInterface, publication.state.root.routerPath))
    }
    for path in publication.childrenChanged {
      ending.append(.changed("Children", interface: Contract.coordinatorInterface, path.objectPath))
    }
  }

  private mutating func addEnded(_ publication: Publication, _ before: TreeState?) {
    // Coordinators that started and ended in one transition are not mentioned.
    let ended = publication.ended.filter { before?.coordinators[$0.path] != nil }
    for child in ended {
      guard let parent = child.path.parent else { continue }
      ending.append(.childEnded(child.path, of: parent, child.outcome))
    }
    for coordinator in ended {
      ending.append(.removed(coordinator.path.objectPath, interface: Contract.coordinatorInterface))
      if coordinator.path.parent == nil {
        ending.append(.removed(coordinator.path.routerPath, interface: Contract.routerInterface))
      }
    }
    guard let root = publication.ended.last(where: { $0.path == publication.state.root }) else { return }
    ending.append(.flowEnded(root.path, flow: root.flow, root.outcome))
  }
}

extension Announcement {
  /// Returns the messages that announce the end of a held tree that was dismissed. The tree showed no screens, so its router
  /// emits nothing.
  ///
  /// - Parameter root: the tree before its end.
  /// - Returns: the messages, in order.
  static func end(ofHeld root: HeldRoot) -> [BusMessage] {
    let paths = Array(root.paths.reversed())
    var messages = [BusMessage.changed("ActiveFlows", interface: Contract.managerInterface, Contract.rootPath)]
    for path in paths {
      guard let parent = path.parent, root.coordinator(at: parent) != nil else { continue }
      messages.append(.childEnded(path, of: parent, .cancelled))
    }
    messages += paths.map { .removed($0.objectPath, interface: Contract.coordinatorInterface) }
    messages.append(.removed(root.path.routerPath, interface: Contract.routerInterface))
    messages.append(.flowEnded(root.path, flow: root.flow, .cancelled))
    return messages
  }

  /// Returns the messages that announce that the reason why a tree is held has changed, or that it is no longer held.
  ///
  /// - Parameters:
  ///   - before: the previous state of the held tree.
  ///   - after: the current state of the tree.
  /// - Returns: the messages, in order.
  static func difference(between before: HeldRoot, and after: HostedRoot) -> [BusMessage] {
    let known = Set(before.paths)
    let paths = after.paths
    var messages: [BusMessage] = paths.filter { !known.contains($0) }.map { .added($0.objectPath) }
    for path in paths where known.contains(path) {
      if after.held != before.reason {
        messages.append(.changed("Held", interface: Contract.coordinatorInterface, path.objectPath))
      }
      if after.coordinator(at: path)?.children != before.coordinator(at: path)?.children {
        messages.append(.changed("Children", interface: Contract.coordinatorInterface, path.objectPath))
      }
    }
    if after.live != nil {
      messages.append(.changed("Language", interface: Contract.routerInterface, after.path.routerPath))
    }
    let left = Set(paths)
    messages += before.paths.filter { !left.contains($0) }.map {
      .removed($0.objectPath, interface: Contract.coordinatorInterface)
    }
    return messages
  }
}

extension BusMessage {
  fileprivate static func ofManager(_ member: String, _ body: [Value]) -> BusMessage {
    .signal(Contract.rootPath, interface: Contract.managerInterface, member: member, body)
  }

  /// Returns a signal of a tree's router, given its path.
  static func ofRouter(_ router: ObjectPath, _ signal: RouterSignal) -> BusMessage {
    .signal(router, interface: Contract.routerInterface, member: signal.member, signal.body)
  }

  fileprivate static func childEnded(_ child: CoordinatorPath, of parent: CoordinatorPath, _ outcome: Outcome) -> BusMessage {
    .signal(
      parent.objectPath, interface: Contract.coordinatorInterface, member: "ChildEnded",
      [.objectPath(child.objectPath), .string(outcome.name)])
  }

  fileprivate static func flowEnded(_ root: CoordinatorPath, flow: String, _ outcome: Outcome) -> BusMessage {
    ofManager("FlowEnded", [.objectPath(root.objectPath), .string(flow), .string(outcome.name)])
  }
}

extension Publication {
  /// Whether the root coordinator ended.
  var isEnd: Bool { state.outcomes[state.root] != nil }
}

extension Occasion {
  /// Returns the screen that a user has answered, and the renderer in which it was answered; nil if no user has answered, or if
  /// no other renderer is attached.
  fileprivate func answer(_ renderers: [String: RendererCapabilities]) -> Answer? {
    guard let screen, let caller, kind == .delegate || kind == .back else { return nil }
    let own = renderers[caller.name]
    guard renderers.count > (own == nil ? 0 : 1) else { return nil }
    return Answer(
      screen: screen.number, event: kind == .delegate ? name ?? "" : "", kind: own?.kind ?? "", client: caller.name)
  }
}

extension ShownScreen {
  /// Returns the screen as it is sent to clients.
  ///
  /// - Parameter progress: the progress that the work on the screen has reported since the last update; nil if none.
  /// - Returns: the screen, including the attached messages.
  func presented(progress: Progress? = nil) -> PresentedScreen {
    var screen = content
    screen.messages = messages
    if let progress { screen.progress = progress }
    return PresentedScreen(
      id: id.number, coordinator: coordinator.objectPath, style: style, layer: layer, back: back,
      draft: keptDraft, screen: screen)
  }

  /// The draft, without fields that have become secret, or that the form no longer contains, since it was saved.
  private var keptDraft: [String: JSONValue] {
    guard !draft.isEmpty, let schema = content.form?.schema else { return [:] }
    let names = Set(schema.fields.map(\.name)).subtracting(schema.secretFields)
    return draft.filter { names.contains($0.key) }
  }

  /// The draft as a dictionary of the contract.
  var draftVardict: [String: Value] { (try? Value.object(keptDraft).vardict) ?? [:] }

  /// Returns the screen as a dictionary of the contract.
  ///
  /// - Parameters:
  ///   - keys: the keys to encode; nil for all.
  ///   - progress: the progress that the work on the screen has reported since the last update; nil if none.
  /// - Returns: the contents of an `a{sv}`.
  func vardict(only keys: Set<ScreenKey>? = nil, progress: Progress? = nil) -> [String: Value] {
    presented(progress: progress).sayableVardict(only: keys)
  }

  /// Returns the whole screen as an `a{sv}` of the contract.
  ///
  /// - Parameter progress: the progress that the work on the screen has reported since the last update; nil if none.
  /// - Returns: the dictionary.
  func value(progress: Progress? = nil) -> Value { presented(progress: progress).sayable }
}
