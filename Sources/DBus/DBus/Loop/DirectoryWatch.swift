import Glibc
import Platform

/// Runs a closure as a serial job of an ``EventLoop`` when files in some directories have changed.
///
/// A directory need not exist: its nearest existing ancestor is watched until it does. Changes that follow each other
/// within a short time, as when a package is installed or an editor writes a file, are reported once.
///
/// Source: inotify(7).
public final class DirectoryWatch: Sendable {
  private let descriptor: Int32
  private let core: LoopCore
  private let watch: UInt64
  private let state: WatchedDirectories

  /// Starts watching; nil if the system has no descriptor left.
  ///
  /// - Parameters:
  ///   - directories: the absolute paths of the directories.
  ///   - loop: the loop to run the closure on.
  ///   - delay: how long after a change the closure runs; changes in between are reported with it.
  ///   - body: the closure to run.
  public init?(
    _ directories: [String], on loop: EventLoop, delay: Duration = .milliseconds(100), _ body: @escaping @Sendable () -> Void
  ) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    let core = loop.core
    self.core = core
    let state = WatchedDirectories(directories, descriptor: descriptor)
    self.state = state
    state.watch()
    watch = core.addWatch(descriptor: descriptor, events: Int16(POLLIN)) { _ in
      guard state.readEvents(), state.beginDelay() else { return }
      _ = core.schedule(at: Monotonic.after(delay)) {
        state.endDelay()
        body()
      }
    }
  }

  deinit {
    core.removeWatch(watch)
    state.end()
    close(descriptor)
  }
}

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

/// The event loop's clock: nanoseconds of `CLOCK_MONOTONIC`, which changes of the wall clock do not affect.
enum Monotonic {
  /// Returns the current time.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns the time at `duration` from now. A negative duration yields the current time, one beyond the clock's range
  /// the latest time.
  static func after(_ duration: Duration) -> UInt64 {
    let (sum, overflow) = now().addingReportingOverflow(duration.nanoseconds)
    return overflow ? .max : sum
  }
}

extension Duration {
  /// The duration in nanoseconds, clamped to 0 … `Int64.max` (about 292 years).
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow, whole <= UInt64(Int64.max) - 1_000_000_000 else { return UInt64(Int64.max) }
    return whole + UInt64(attoseconds / 1_000_000_000)
  }
}

extension timespec {
  /// Creates the form of `nanoseconds` that system calls take.
  init(nanoseconds: UInt64) {
    self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
