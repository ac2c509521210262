import Glibc
import Platform

/// The paths that an inotify descriptor watches: each directory or, while it does not exist, its nearest existing ancestor.
final class WatchedDirectories: Sendable {
  /// A watch of the kernel.
  private struct Place: Sendable {
    /// Whether the path is one of the directories itself, in which every name counts.
    var isWhole = false
    /// The names in an ancestor that lead to one of the directories.
    var names: Set<String> = []
  }

  private struct State: Sendable {
    var places: [Int32: Place] = [:]
    var isDelayed = false
    var hasEnded = false
  }

  private let directories: [String]
  private let descriptor: Int32
  private let state = Lock(State())

  private static let changes =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
    | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

  init(_ directories: [String], descriptor: Int32) {
    self.directories = directories.filter { $0.bytes.hasPrefix("/") }
    self.descriptor = descriptor
  }

  /// Watches the paths that exist now.
  func watch() {
    state.withLock { state in
      guard !state.hasEnded else { return }
      let before = state.places
      state.places = [:]
      for directory in directories { add(directory, to: &state) }
      for old in before.keys where state.places[old] == nil { inotify_rm_watch(descriptor, old) }
    }
  }

  private func add(_ directory: String, to state: inout State, isSecondTry: Bool = false) {
    var path = directory
    var name: String?
    while true {
      let number = inotify_add_watch(descriptor, path, Self.changes | UInt32(IN_ONLYDIR))
      if number >= 0 {
        guard let name else { return state.places[number, default: Place()].isWhole = true }
        state.places[number, default: Place()].names.insert(name)
        // The directory may have been created before its ancestor was watched.
        if !isSecondTry, access("\(path)/\(name)", F_OK) == 0 { add(directory, to: &state, isSecondTry: true) }
        return
      }
      guard let slash = path.bytes.lastIndex(of: "/"), path != "/" else { return }
      name = String(path[path.utf8.index(after: slash)...])
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }

  /// Reads the pending events, and watches directories that exist now.
  ///
  /// - Returns: whether any relevant change has happened.
  func readEvents() -> Bool {
    var hasChanged = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let head = MemoryLayout<inotify_event>.size
    while true {
      let count = state.withLock { $0.hasEnded ? -1 : read(descriptor, &buffer, buffer.count) }
      guard count > 0 else { break }
      var offset = 0
      while offset + head <= count {
        let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
        let end = offset + head + Int(event.len)
        let name = end <= count ? String(decoding: buffer[(offset + head)..<end].prefix { $0 != 0 }, as: UTF8.self) : ""
        if concerns(event, name) { hasChanged = true }
        offset = end
      }
    }
    if hasChanged { watch() }
    return hasChanged
  }

  private func concerns(_ event: inotify_event, _ name: String) -> Bool {
    // Events were lost, or a watched directory has moved: anything may have changed.
    if event.mask & (UInt32(IN_Q_OVERFLOW) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)) != 0 { return true }
    guard let place = state.withLock({ $0.places[event.wd] }) else { return false }
    return place.isWhole && !name.isEmpty || place.names.contains(name)
  }

  /// Returns whether a delay begins: false if one has begun already.
  func beginDelay() -> Bool {
    state.withLock { state in
      defer { state.isDelayed = true }
      return !state.isDelayed
    }
  }

  func endDelay() { state.withLock { $0.isDelayed = false } }

  /// Reads nothing from now on: the descriptor is closed.
  func end() { state.withLock { $0.hasEnded = true } }
}
