import CPlatform
import Glibc

/// Passes events to a ``KeeperState``, and performs its effects. One thread, which sleeps until an event.
struct KeeperLoop: ~Copyable {
  /// The time limit for sending the remaining bytes at the end, in milliseconds.
  static let lastWords: Int64 = 2_000

  /// The time for which no connection is accepted after the system ran out of resources, in milliseconds.
  private static let pause: Int64 = 200

  var state: KeeperState
  let sockets: [(ListeningSocket, ConnectionRoom.Kind)]
  let terminal: ProgramTerminal
  let process: pid_t
  let signals: Int32
  var connections: [ConnectionID: PolledConnection] = [:]
  var timers: [KeeperTimer: Int64] = [:]
  var lastConnection = 0
  private var room: ConnectionRoom
  /// The time until which no connection is accepted; nil if connections are accepted.
  private var pausing: Int64?
  var hasTerminal = true
  /// The time at which the keeper ends, even with unsent bytes; nil while it runs.
  var leaving: Int64?
  var ending: ProgramEnding?
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(
    _ state: KeeperState, sockets: [(ListeningSocket, ConnectionRoom.Kind)], terminal: ProgramTerminal, process: pid_t,
    signals: Int32
  ) {
    (self.state, self.sockets, self.terminal, self.process, self.signals) = (state, sockets, terminal, process, signals)
    var limit = rlimit()
    let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    room = ConnectionRoom(descriptors: isKnown ? Int(clamping: limit.rlim_cur) : 1_024)
  }

  static var now: Int64 { Int64(coordinatord_milliseconds()) }

  /// Keeps the program until it has ended, and all clients know its end.
  ///
  /// - Returns: how the program has ended.
  mutating func run() -> ProgramEnding {
    while true {
      if let leaving, !connections.values.contains(where: \.hasWaiting) || leaving <= Self.now { break }
      wait()
    }
    for connection in connections.values { close(connection.descriptor) }
    return ending ?? .outOfReach
  }

  private mutating func wait() {
    var polled: [pollfd] = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
    polled.append(pollfd(fd: hasTerminal ? terminal.descriptor : -1, events: Int16(POLLIN), revents: 0))
    if let pausing, pausing <= Self.now { self.pausing = nil }
    polled += sockets.map { socket, kind in
      // Clients that are not accepted wait in connect(2).
      let isOpen = pausing == nil && mayTake(kind)
      return pollfd(fd: isOpen ? socket.descriptor : -1, events: Int16(POLLIN), revents: 0)
    }
    let ids = connections.keys.sorted()
    for id in ids {
      guard let connection = connections[id] else { continue }
      let events = (connection.isClosing ? 0 : POLLIN) | (connection.hasWaiting ? POLLOUT : 0)
      polled.append(pollfd(fd: connection.descriptor, events: Int16(events), revents: 0))
    }
    let next = (Array(timers.values) + [leaving, pausing].compactMap(\.self)).min().map { min(max($0 - Self.now, 0), 3_600_000) }
    guard poll(&polled, nfds_t(polled.count), next.map { Int32($0) } ?? -1) >= 0 else { return }
    // The program's output comes before its end and its questions.
    if polled[1].revents != 0 { readTerminal() }
    for (id, entry) in zip(ids, polled.dropFirst(2 + sockets.count)) where entry.revents != 0 { serve(id, entry.revents) }
    for (index, socket) in sockets.enumerated() where polled[2 + index].revents != 0 { accept(socket.0, socket.1) }
    if polled[0].revents != 0 { takeSignals() }
    let now = Self.now
    for (timer, due) in timers.sorted(by: { $0.value < $1.value }) where due <= now {
      timers[timer] = nil
      take(.timer(timer))
    }
  }

  /// Takes over an existing connection.
  mutating func connect(_ descriptor: Int32, _ kind: ConnectionRoom.Kind) {
    lastConnection += 1
    room.take(kind)
    connections[lastConnection] = PolledConnection(descriptor, kind)
    let peer = PeerProcess(of: descriptor)
    let connection: ConnectionKind =
      switch kind {
      case .control: .control
      case .shim: .shim(caller: peer.caller)
      case .debconf: .debconf(package: peer.variable("DPKG_MAINTSCRIPT_PACKAGE"))
      case .apt: .apt
      }
    take(.connected(lastConnection, connection))
  }

  /// Whether another connection can be accepted, or could be after closing an idle one.
  private func mayTake(_ kind: ConnectionRoom.Kind) -> Bool { room.has(kind) || kind == .debconf && !state.unheard.isEmpty }

  /// Accepts waiting connections up to the limits.
  private mutating func accept(_ socket: ListeningSocket, _ kind: ConnectionRoom.Kind) {
    if !room.has(kind), mayTake(kind) { take(.crowded) }
    while room.has(kind) {
      switch socket.accept() {
      case .connection(let descriptor): connect(descriptor, kind)
      case .refused: continue
      case .nobody: return
      case .lacking:
        take(.trouble("nobody could be let in: \(String(cString: strerror(errno)))"))
        pausing = Self.now + Self.pause
        return
      }
    }
  }

  private mutating func serve(_ id: ConnectionID, _ events: Int16) {
    guard let descriptor = connections[id]?.descriptor else { return }
    if events & Int16(POLLOUT) != 0, connections[id]?.flush() == false { return drop(id) }
    guard events & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return }
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0, connections[id]?.isClosing == false else { return drop(id) }
    let bytes = Array(buffer[..<count])
    // The bytes may contain a secret.
    for index in 0..<count { buffer[index] = 0 }
    take(.received(id, bytes))
  }

  private mutating func drop(_ id: ConnectionID) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    close(connection.descriptor)
    room.giveBack(connection.kind)
    (timers[.silent(id)], timers[.shown(id)]) = (nil, nil)
    if !connection.isClosing { take(.closed(id)) }
  }

  /// Reads the output of the program; only a part of it if the program prints without end.
  mutating func readTerminal() {
    guard hasTerminal else { return }
    var count = 0
    while count < buffer.count {
      // One read from a terminal returns at most 4 KiB.
      let more = buffer.withUnsafeMutableBytes { read(terminal.descriptor, $0.baseAddress.map { $0 + count }, $0.count - count) }
      guard more > 0 else { break }
      count += more
    }
    if count > 0 { take(.printed(Array(buffer[..<count]))) }
  }

  mutating func take(_ event: KeeperEvent) {
    for effect in state.take(event) { perform(effect) }
  }

  private mutating func perform(_ effect: KeeperEffect) {
    switch effect {
    case .send(let id, let bytes):
      guard connections[id]?.send(bytes) == false else { return }
      if connections[id]?.isFull == true { take(.trouble("somebody did not read what it was sent, and was hung up on")) }
      drop(id)
    case .close(let id): if connections[id]?.close() == false { drop(id) }
    case .type(let keys): if hasTerminal { _ = write(terminal.descriptor, keys, keys.count) }
    case .wait(let timer, let milliseconds): timers[timer] = Self.now + Int64(milliseconds)
    case .terminate: ProcessTable.signalDescendants(SIGTERM)
    case .kill: ProcessTable.signalDescendants(SIGKILL)
    case .hangUp:
      if hasTerminal { terminal.hangUp() }
      hasTerminal = false
    case .leave: if leaving == nil { leaving = Self.now + Self.lastWords }
    }
  }
}

extension KeeperLoop {
  /// Takes signals: ended children, and signals that end the keeper.
  mutating func takeSignals() {
    var isInterrupted = false
    while true {
      let signal = coordinatord_next_signal(signals)
      if signal == 0 { break }
      // A hang-up of the terminal that the keeper was started on does not concern the program.
      if signal == SIGTERM || signal == SIGINT { isInterrupted = true }
    }
    reap()
    if isInterrupted { take(.interrupted) }
  }

  /// Reaps children, including adopted ones.
  private mutating func reap() {
    while true {
      var status: Int32 = 0
      let child = waitpid(-1, &status, WNOHANG)
      if child < 0, errno == EINTR { continue }
      if child < 0, errno == ECHILD { take(.childless) }
      guard child > 0 else { return }
      guard child == process else { continue }
      let ending = ProgramEnding(waitStatus: status)
      self.ending = ending
      readRest()
      take(.ended(ending))
    }
  }

  /// Reads the output of the program before its end.
  private mutating func readRest() {
    // Bounded, because processes that the program has left behind may print forever.
    for _ in 0..<64 {
      guard hasTerminal else { return }
      var entry = pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0 else { return }
      readTerminal()
    }
  }
}

/// The processes of the system.
enum ProcessTable {
  /// Returns the parent of a process; nil if the process has ended.
  static func parent(of process: pid_t) -> pid_t? {
    // The name, in parentheses, may contain any characters.
    let fields = Files.content("/proc/\(process)/stat")
    guard let end = fields.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let rest = fields[(end + 1)...].split(separator: 0x20)
    guard rest.count > 1 else { return nil }
    return pid_t(String(decoding: rest[1], as: UTF8.self))
  }

  /// Returns the descendants of this process, which adopts those whose parents have ended.
  static func descendants() -> [pid_t] {
    var children: [pid_t: [pid_t]] = [:]
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let process = pid_t(name), let parent = parent(of: process) else { continue }
      children[parent, default: []].append(process)
    }
    var found: [pid_t] = []
    var rest = [getpid()]
    while let process = rest.popLast() {
      let own = children.removeValue(forKey: process) ?? []
      found += own
      rest += own
    }
    return found
  }

  /// Sends a signal to all descendants, and continues those that are stopped.
  static func signalDescendants(_ number: Int32) {
    for process in descendants() {
      kill(process, number)
      kill(process, SIGCONT)
    }
  }
}

/// The process at the other end of a connection.
struct PeerProcess {
  private let id: pid_t

  init(of connection: Int32) { id = coordinatord_peer_process(connection) }

  /// The command of the process that started it; empty if unknown.
  var caller: String {
    guard let parent = ProcessTable.parent(of: id) else { return "" }
    var name = Files.content("/proc/\(parent)/comm")
    if name.last == 0x0A { name.removeLast() }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns a variable of its environment; empty if the variable is not set, or may not be read.
  func variable(_ name: String) -> String {
    let prefix = Array("\(name)=".utf8)
    let entry = Files.content("/proc/\(id)/environ").split(separator: 0).first { $0.starts(with: prefix) }
    return entry.map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) } ?? ""
  }
}

/// Reads small files of the system.
enum Files {
  /// Returns the contents of a file, up to 4 MiB; empty if it cannot be read.
  static func content(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < 4 << 20 {
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
