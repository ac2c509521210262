import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

/// The properties of a tree's objects, as last published.
extension HostedRoot {
  /// Returns a property of a coordinator; nil if the coordinator or the property does not exist.
  func property(_ name: String, of path: CoordinatorPath) -> Value? {
    guard let coordinator = coordinator(at: path) else { return nil }
    return switch name {
    case "Flow": .string(coordinator.flow)
    case "Parent": .objectPath(path.parent?.objectPath ?? .root)
    case "Children": .objectPaths(coordinator.children.map(\.objectPath))
    case "Router": .objectPath(path.routerPath)
    case "Screens": .array(of: .uint64, screens(of: path).map { .uint64($0.number) })
    case "StartedAt": .uint64(coordinator.startedAt)
    case "Held": .string(held(of: path))
    default: nil
    }
  }

  /// Returns a property of the tree's router; nil if it does not exist.
  func routerProperty(_ name: String) -> Value? {
    switch name {
    case "Coordinator": .objectPath(path.objectPath)
    case "Revision": .uint64(revision)
    case "Screens": screens
    case "Language": .string(language)
    case "Renderers":
      .vardicts(clients.renderers.sorted { $0.key < $1.key }.map { $0.value.vardict(client: $0.key) })
    default: nil
    }
  }

  /// The screens of the tree, bottom first, with their latest progress. A held tree shows none.
  var screens: Value { live?.screens ?? .vardicts([]) }

  /// The language of the screens, by BCP 47; "" if the tree is held.
  private var language: String { live.map { $0.state.language?.bcp47 ?? "en" } ?? "" }

  /// The answer to `Attach`: the revision and the screens of the tree.
  var attachAnswer: [Value] { [.uint64(revision), screens] }

  /// The tree, if it is live.
  var live: LiveRoot? { if case .live(let root) = self { root } else { nil } }
}

extension LiveRoot {
  /// The screens of the tree, bottom first, with their latest progress.
  var screens: Value {
    .array(
      of: .dictionary(key: .string, value: .variant), state.window.screens.map { $0.value(progress: progress[$0.id]) })
  }

  /// The closure that makes ``screens`` on another thread; nil if they are small enough to be made immediately.
  var largeScreens: LargeProperty? {
    guard state.window.isLarger(than: LargeAnswer.size) else { return nil }
    return LargeProperty(stamp: stamp) { screens }
  }
}
