import Glibc
import Logging
import Platform
import Synchronization

/// A log handler that writes entries with fields to journald, and plain lines to stderr otherwise.
struct JournalLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  private let label: String
  private let threshold: LogThreshold
  private let target: LogTarget
  /// The level set on this copy of the logger; nil to use the shared threshold.
  private var ownLevel: Logger.Level?

  init(label: String, threshold: LogThreshold, target: LogTarget) {
    self.label = label
    self.threshold = threshold
    self.target = target
  }

  var logLevel: Logger.Level {
    get { ownLevel ?? threshold.level }
    set { ownLevel = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    if let socket = target.socket, socket.send(entry(of: event)) { return }
    target.write(line(of: event))
  }

  private func fields(of event: LogEvent) -> [(key: String, value: String)] {
    metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)".onOneLine) }
  }

  /// Returns the human-readable text of a message: the message and its fields.
  private func text(of event: LogEvent) -> String {
    fields(of: event).reduce("\(event.message)".onOneLine) { "\($0) \($1.key)=\($1.value.asWord)" }
  }

  /// Returns the line for stderr: the message, preceded by an sd-daemon(3) priority if stderr leads to the journal,
  /// else by the label and the level.
  func line(of event: LogEvent) -> String {
    (target.isJournal ? "<\(event.level.priority)>" : "\(label): \(event.level): ") + text(of: event)
  }

  /// Returns the journald entry of a message. Control characters are replaced, so that only the end of a field ends a
  /// line. Field names are those of systemd.journal-fields(7) and the metadata keys in capitals.
  func entry(of event: LogEvent) -> String {
    let first = "PRIORITY=\(event.level.priority)\nSYSLOG_IDENTIFIER=\(label.onOneLine)\nMESSAGE=\(text(of: event))\n"
    return fields(of: event).reduce(first) { entry, field in
      field.key.asFieldName.map { "\(entry)\($0)=\(field.value)\n" } ?? entry
    }
  }
}

extension String {
  /// The string with each control character replaced by a space, so that it contains no line break and no terminal
  /// escape.
  fileprivate var onOneLine: String {
    // Most texts need no change. Looking up categories would add a third of a millisecond to the start of a daemon.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// Whether the string must be quoted to be a single word. Combining marks are ignored: a quotation mark with an accent is
  /// still one.
  private var needsQuotes: Bool {
    isEmpty || unicodeScalars.contains { $0 == "\"" || $0 == "=" || ($0.isASCII ? $0 == " " : $0.properties.isWhitespace) }
  }

  /// The string, which has no control characters, quoted unless it is a single word.
  fileprivate var asWord: String {
    guard needsQuotes else { return self }
    var quoted = "\""
    for scalar in unicodeScalars {
      if scalar == "\\" || scalar == "\"" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// The string as a field name; nil if journald would not accept it.
  fileprivate var asFieldName: String? {
    let name = utf8.map { $0.isASCIILetter || $0.isASCIIDigit ? $0.asciiUppercased : UInt8(ascii: "_") }
    guard let first = name.first, first.isASCIILetter, name.count <= 64 else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}

extension Logger.Level {
  /// The syslog priority of the level.
  fileprivate var priority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}

/// The lowest level that a daemon logs.
///
/// A reload may change it while other threads log. Reading it is a relaxed atomic load.
final class LogThreshold: Sendable {
  /// The rank of the level, 0 for the lowest.
  private let place: Atomic<Int>

  init(_ level: Logger.Level) { place = Atomic(Self.place(of: level)) }

  var level: Logger.Level {
    get {
      switch place.load(ordering: .relaxed) {
      case 0: .trace
      case 1: .debug
      case 2: .info
      case 3: .notice
      case 4: .warning
      case 5: .error
      default: .critical
      }
    }
    set { place.store(Self.place(of: newValue), ordering: .relaxed) }
  }

  private static func place(of level: Logger.Level) -> Int {
    switch level {
    case .trace: 0
    case .debug: 1
    case .info: 2
    case .notice: 3
    case .warning: 4
    case .error: 5
    case .critical: 6
    }
  }
}

/// The destination of the log: journald, with fields, or stderr, as lines.
struct LogTarget: Sendable, Hashable {
  /// Whether stderr leads to the journal, which reads a priority at the beginning of a line.
  let isJournal: Bool
  /// The socket for entries with fields; nil if there is none.
  let socket: JournalSocket?

  init(isJournal: Bool, socket: JournalSocket? = nil) {
    self.isJournal = isJournal
    self.socket = socket
  }

  /// The target for stderr. Determined at the first access.
  static let standardError =
    JournalStream.isStandardError ? LogTarget(isJournal: true, socket: JournalSocket()) : LogTarget(isJournal: false)

  func write(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }

  /// Writes the reason why a program ends.
  func complain(_ reason: String, of program: String) {
    write((isJournal ? "<3>" : "\(program): ") + reason)
  }
}

/// journald's native socket, which accepts entries with fields.
///
/// Source: systemd.io, "Native Journal Protocol". A datagram is an entry; each of its lines is a field, `NAME=value`.
struct JournalSocket: Sendable, Hashable {
  /// The path of the socket that journald listens on.
  static let usualPath = "/run/systemd/journal/socket"

  private let descriptor: Int32
  private let path: String

  /// Creates a socket for the journal at `path`, which need not exist yet. Returns nil if `path` is too long or the
  /// system has no socket left.
  ///
  /// The socket is never closed, because a daemon logs until it exits.
  init?(path: String = usualPath) {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    self.path = path
  }

  /// Sends an entry without blocking. Fails if journald is not running or is busy.
  ///
  /// - Parameter entry: the lines of the entry.
  /// - Returns: whether the entry was sent.
  func send(_ entry: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    var entry = entry
    // The socket is addressed by path each time, because journald may have been restarted.
    return entry.withUTF8 { bytes in
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          sendto(
            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL), pointer, length)
            == bytes.count
        }
      }
    }
  }
}
