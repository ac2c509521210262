import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

/// The ordered screens of a window, updated from the Router's signals.
///
/// Every mutating method returns whether the change was consistent with the stack. An inconsistent change means that a
/// signal was lost.
struct MirroredStack: Sendable, Hashable {
  /// A screen and the dictionary that it was decoded from; Updated refers to the keys of the latter.
  private struct Entry: Sendable, Hashable {
    var vardict: [String: Value]
    var screen: PresentedScreen

    init(_ vardict: [String: Value]) throws(MalformedScreen) {
      self.vardict = vardict
      screen = try PresentedScreen(vardict: vardict)
    }
  }

  private var entries: [Entry] = []

  /// Creates an empty stack.
  init() {}

  /// Creates a stack from the screens of a snapshot, which are already ordered.
  init(_ snapshot: WindowSnapshot) throws(MalformedScreen) {
    entries.reserveCapacity(snapshot.screens.count)
    for vardict in snapshot.screens { entries.append(try Entry(vardict)) }
  }

  /// The screens, bottom first.
  var screens: [PresentedScreen] { entries.map(\.screen) }

  /// The id of the top screen, or 0 if there is none, as Settled reports it.
  var top: UInt64 { entries.last?.screen.id ?? 0 }

  /// Inserts a screen at the top of its layer, below all higher layers.
  mutating func present(_ vardict: [String: Value]) -> Bool {
    guard let entry = try? Entry(vardict), index(of: entry.screen.id) == nil else { return false }
    let above = entries.firstIndex { $0.screen.layer > entry.screen.layer } ?? entries.endIndex
    entries.insert(entry, at: above)
    return true
  }

  /// Changes and removes keys of a screen's dictionary.
  mutating func update(_ id: UInt64, changed: [String: Value], removed: [String]) -> Bool {
    guard let index = index(of: id) else { return false }
    var vardict = entries[index].vardict
    for key in removed { vardict[key] = nil }
    vardict.merge(changed) { _, new in new }
    guard let entry = try? Entry(vardict), entry.screen.id == id else { return false }
    entries[index] = entry
    return true
  }

  /// Sets the progress of a screen.
  mutating func show(_ progress: CoordinatorKit.Progress, on id: UInt64) -> Bool {
    update(id, changed: [ScreenKey.progress.rawValue: .vardict(progress.vardict)], removed: [])
  }

  /// Sets the draft of a screen; an empty draft removes it.
  mutating func keep(draft: [String: Value], on id: UInt64) -> Bool {
    draft.isEmpty
      ? update(id, changed: [:], removed: [ScreenKey.draft.rawValue])
      : update(id, changed: [ScreenKey.draft.rawValue: .vardict(draft)], removed: [])
  }

  /// Returns the draft of a screen, or nil if there is no such screen.
  func draft(on id: UInt64) -> [String: JSONValue]? { index(of: id).map { entries[$0].screen.draft } }

  /// Removes a screen.
  mutating func dismiss(_ id: UInt64) -> Bool {
    guard let index = index(of: id) else { return false }
    entries.remove(at: index)
    return true
  }

  private func index(of id: UInt64) -> Int? { entries.lastIndex { $0.screen.id == id } }
}

/// The complete state of a Router at one moment, as sent on the bus: the reply of Attach, or the result of GetAll.
public struct WindowSnapshot: Sendable, Hashable {
  /// The revision that the snapshot shows.
  public var revision: UInt64
  /// The screens' dictionaries, bottom first.
  public var screens: [[String: Value]]
  /// The reason why the tree is held, or nil if it is not.
  public var held: String?
  /// The language of the screens; English if the daemon has no languages, or if the tree is held.
  public var language: LanguageTag

  /// Creates a snapshot of the given screens, bottom first.
  public init(
    revision: UInt64, screens: [[String: Value]], held: String? = nil, language: LanguageTag = .english
  ) {
    self.revision = revision
    self.screens = screens
    self.held = held
    self.language = language
  }
}
