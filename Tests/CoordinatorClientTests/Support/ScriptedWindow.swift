import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// The true window, and the signals that a daemon would send for each of its changes.
struct ScriptedWindow {
  static let root: ObjectPath = "/org/coordinatord/Coordinator1/flows/pets_1"

  private(set) var revision: UInt64 = 0
  private(set) var screens: [PresentedScreen] = []
  private var nextID: UInt64 = 1
  private var pending: [RouterSignal] = []

  var window: MirroredWindow { MirroredWindow(revision: revision, screens: screens) }

  var snapshot: WindowSnapshot {
    get throws { try WindowSnapshot(revision: revision, screens: screens.map { try $0.vardict() }) }
  }

  /// Performs changes as one transition and returns its signals.
  mutating func transition(_ changes: (inout ScriptedWindow) throws -> Void) rethrows -> [RouterSignal] {
    revision += 1
    pending = []
    try changes(&self)
    return pending + [.settled(revision: revision, top: screens.last?.id ?? 0)]
  }

  mutating func present(_ title: String, layer: UInt32 = 0) throws {
    let presented = PresentedScreen(
      id: nextID, coordinator: Self.root, style: .push, layer: layer, back: true,
      screen: Screen("screen", kind: .message, title: title))
    nextID += 1
    let above = screens.firstIndex { $0.layer > layer } ?? screens.endIndex
    screens.insert(presented, at: above)
    pending.append(.presented(revision: revision, screen: try presented.vardict(), animated: true))
  }

  mutating func update(_ id: UInt64, title: String, accent: String?) {
    guard let index = screens.firstIndex(where: { $0.id == id }) else { return }
    screens[index].screen.title = title
    screens[index].screen.accent = accent
    var changed: [String: Value] = ["title": .string(title)]
    changed["accent"] = accent.map(Value.string)
    pending.append(
      .updated(revision: revision, screen: id, changed: changed, removed: accent == nil ? ["accent"] : []))
  }

  mutating func dismiss(_ id: UInt64, reason: String = "dismissed") {
    screens.removeAll { $0.id == id }
    pending.append(.dismissed(revision: revision, screen: id, reason: reason, animated: false))
  }

  /// Changes the progress of a screen, which belongs to no transition.
  mutating func progress(_ id: UInt64, _ fraction: Double) -> RouterSignal {
    let progress = CoordinatorKit.Progress(fraction: fraction)
    if let index = screens.firstIndex(where: { $0.id == id }) { screens[index].screen.progress = progress }
    return .progress(screen: id, progress: progress)
  }
}

extension WindowMirrorState {
  /// Takes several signals and returns the steps that require an action.
  mutating func receive(_ signals: [RouterSignal]) -> [Step] {
    signals.map { receive($0) }.filter { $0 != .none }
  }
}
