import Glibc
import Logging

/// Writes one line a message to stderr; with a priority in front if that leads to the journal.
///
/// The form is that of sd-daemon(3): `<4>coordinator=pets_1 ...`.
struct JournalLogHandler: LogHandler {
  var logLevel: Logger.Level = .notice
  var metadata: Logger.Metadata = [:]
  private let label: String
  private let hasPriorities: Bool

  init(label: String, withPriorities hasPriorities: Bool) {
    self.label = label
    self.hasPriorities = hasPriorities
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    let text = fields.reduce("\(event.message)") { "\($0) \($1.key)=\"\($1.value)\"" }
    // One line a message, and nothing that a terminal would obey, whatever is in it.
    let line = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    let prefix = hasPriorities ? "<\(Self.priority(of: event.level))>" : "\(label): \(event.level): "
    Self.write(prefix + line)
  }

  /// Says why the program ends.
  static func fail(_ error: any Error) {
    write((isConnectedToJournal ? "<3>" : "coordinatord: ") + String(describing: error))
  }

  /// Whether stderr is the journal's, as systemd says in JOURNAL_STREAM.
  static var isConnectedToJournal: Bool {
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  private static func write(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// The level in the words of syslog.
  private static func priority(of level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
