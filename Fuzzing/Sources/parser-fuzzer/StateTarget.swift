import Dispatch
import Flows

@testable import CoordinatorKit

/// What a store has kept of a flow tree, altered: taking it up again works, or says why it does not.
///
/// Line by line: `c NAME FLOW VERSION` a coordinator (the first is the root, the others are its children), `i JSON` its input, `s JSON`
/// its state, `r JSON` a screen's route, `w JSON` work, `q JSON` an answer that is kept.
enum StateTarget {
  private static let catalogue = try? FlowCatalogue.builtIn()

  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let catalogue, let tree = tree(String(decoding: bytes, as: UTF8.self)) else { return -1 }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      let environment = FlowTree.Environment(catalogue: catalogue, observer: Nobody()) { 0 }
      if let restored = try? await FlowTree.restore(tree, environment: environment) {
        // What was taken up can be kept again.
        precondition((try? StoredTree(restored.state, in: catalogue)) != nil, "the restored tree cannot be stored")
      }
      done.signal()
    }
    done.wait()
    return 0
  }

  private static func tree(_ text: String) -> StoredTree? {
    let root = CoordinatorPath(root: "root")
    var tree = StoredTree(root: root, counters: StoredTree.Counters(revision: 3, lastScreen: 9, lastWork: 9))
    for line in text.split(separator: "\n") {
      let rest = String(line.dropFirst(2))
      switch line.first {
      case "c":
        let words = rest.split(separator: " ")
        guard words.count == 3, let version = Int(words[2]) else { return nil }
        let path = tree.coordinators.isEmpty ? root : root.child(String(words[0]))
        tree.coordinators.append(
          StoredCoordinator(
            path: path, flow: String(words[1]), version: version, input: "{}", router: .navigation, startedAt: 1, lastChild: 1,
            state: "{}", work: []))
      case "i": tree.change { $0.input = rest }
      case "s": tree.change { $0.state = rest }
      case "w":
        let number = UInt64(tree.coordinators.last?.work.count ?? 0) + 1
        tree.change { $0.work.append(StoredWork(number: number, work: rest, screen: nil, tookSecrets: false)) }
      case "r":
        guard let owner = tree.coordinators.last?.path else { return nil }
        let id = ScreenID(UInt64(tree.screens.count) + 1)
        tree.screens.append(
          StoredScreen(id: id, coordinator: owner, route: rest, style: .push, layer: 0, attached: [], changedAt: 1))
      case "q":
        let number = UInt64(tree.requests.count)
        tree.requests.append(StoredRequest(key: "k\(number)", number: number, entry: rest))
      default: return nil
      }
    }
    return tree
  }
}

extension StoredTree {
  fileprivate mutating func change(_ change: (inout StoredCoordinator) -> Void) {
    if let last = coordinators.indices.last { change(&coordinators[last]) }
  }
}

/// Discards all publications.
private struct Nobody: TreeObserver {
  func publish(_ publication: Publication) async {}
  func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {}
}
