import Logging

/// Writes one line a message to stderr; with a priority in front if that leads to the journal.
///
/// The form is that of sd-daemon(3): `<4>coordinator=pets_1 ...`.
struct JournalLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let label: String
  private let target: LogTarget

  init(label: String, level: Logger.Level, target: LogTarget) {
    self.label = label
    self.logLevel = level
    self.target = target
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { target.write(line(of: event)) }

  /// What is written of a message.
  func line(of event: LogEvent) -> String {
    let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    let text = fields.reduce("\(event.message)") { "\($0) \($1.key)=\"\($1.value)\"" }
    return prefix(event.level) + text.onOneLine
  }

  private func prefix(_ level: Logger.Level) -> String {
    target.isJournal ? "<\(level.priority)>" : "\(label): \(level): "
  }
}

extension String {
  /// The text without anything that ends a line, or that a terminal would obey.
  fileprivate var onOneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

extension Logger.Level {
  /// The level in the words of syslog.
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
