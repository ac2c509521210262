import CoordinatorBus
import CoordinatorKit
import DBus

/// The screens of a window in their order, changed as the Router's signals say.
///
/// Every change answers whether it made sense. One that did not is the trace of a signal that was lost.
struct MirroredStack: Sendable, Hashable {
  /// A screen, and the dictionary that it was read from, which is what Updated speaks about.
  private struct Entry: Sendable, Hashable {
    var vardict: [String: Value]
    var screen: PresentedScreen

    init(_ vardict: [String: Value]) throws(MalformedScreen) {
      self.vardict = vardict
      screen = try PresentedScreen(vardict: vardict)
    }
  }

  private var entries: [Entry] = []

  /// An empty stack.
  init() {}

  /// The screens of a snapshot, which are in their order already.
  init(_ snapshot: WindowSnapshot) throws(MalformedScreen) {
    entries.reserveCapacity(snapshot.screens.count)
    for vardict in snapshot.screens { entries.append(try Entry(vardict)) }
  }

  /// The screens, bottom first.
  var screens: [PresentedScreen] { entries.map(\.screen) }

  /// The id of the screen on top, 0 for none: as Settled says it.
  var top: UInt64 { entries.last?.screen.id ?? 0 }

  /// Puts a screen on top of its layer, below the layers above it.
  mutating func present(_ vardict: [String: Value]) -> Bool {
    guard let entry = try? Entry(vardict), index(of: entry.screen.id) == nil else { return false }
    let above = entries.firstIndex { $0.screen.layer > entry.screen.layer } ?? entries.endIndex
    entries.insert(entry, at: above)
    return true
  }

  /// Replaces and removes keys of a screen.
  mutating func update(_ id: UInt64, changed: [String: Value], removed: [String]) -> Bool {
    guard let index = index(of: id) else { return false }
    var vardict = entries[index].vardict
    for key in removed { vardict[key] = nil }
    vardict.merge(changed) { _, new in new }
    guard let entry = try? Entry(vardict), entry.screen.id == id else { return false }
    entries[index] = entry
    return true
  }

  /// Shows how far the work on a screen has come.
  mutating func show(_ progress: CoordinatorKit.Progress, on id: UInt64) -> Bool {
    update(id, changed: ["progress": .vardict(progress.vardict)], removed: [])
  }

  /// Keeps what was typed on a screen and not sent yet.
  mutating func keep(draft: [String: Value], on id: UInt64) -> Bool {
    draft.isEmpty
      ? update(id, changed: [:], removed: ["draft"]) : update(id, changed: ["draft": .vardict(draft)], removed: [])
  }

  /// The draft of a screen; nil if there is no such screen.
  func draft(on id: UInt64) -> [String: JSONValue]? { index(of: id).map { entries[$0].screen.draft } }

  /// Takes a screen away.
  mutating func dismiss(_ id: UInt64) -> Bool {
    guard let index = index(of: id) else { return false }
    entries.remove(at: index)
    return true
  }

  private func index(of id: UInt64) -> Int? { entries.lastIndex { $0.screen.id == id } }
}
