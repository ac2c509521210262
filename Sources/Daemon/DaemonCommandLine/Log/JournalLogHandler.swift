import Logging

/// Writes the log: entries with fields for journald, lines for everybody else.
struct JournalLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  private let label: String
  private let threshold: LogThreshold
  private let target: LogTarget
  /// Set for a copy of the logger alone.
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

  /// What people read: the message and the fields.
  private func text(of event: LogEvent) -> String {
    fields(of: event).reduce("\(event.message)".onOneLine) { "\($0) \($1.key)=\($1.value.asWord)" }
  }

  /// What is written of a message, with a priority of sd-daemon(3) or who says it in front.
  func line(of event: LogEvent) -> String {
    (target.isJournal ? "<\(event.level.priority)>" : "\(label): \(event.level): ") + text(of: event)
  }

  /// What journald is sent of a message. Nothing in it ends a line but what ends a field. Names are those of
  /// systemd.journal-fields(7), and ours in capitals.
  func entry(of event: LogEvent) -> String {
    let first = "PRIORITY=\(event.level.priority)\nSYSLOG_IDENTIFIER=\(label.onOneLine)\nMESSAGE=\(text(of: event))\n"
    return fields(of: event).reduce(first) { entry, field in
      field.key.asFieldName.map { "\(entry)\($0)=\(field.value)\n" } ?? entry
    }
  }
}

extension String {
  /// The text without anything that ends a line, or that a terminal would obey.
  fileprivate var onOneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// The text in quotes, if it would not be one word without.
  fileprivate var asWord: String {
    guard isEmpty || contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "=" }) else { return self }
    return "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// The text as the name of a field; nil if journald would not take it.
  fileprivate var asFieldName: String? {
    let name = String(map { $0.isASCII && ($0.isLetter || $0.isNumber) ? Character($0.uppercased()) : "_" })
    guard let first = name.first, first.isLetter, name.utf8.count <= 64 else { return nil }
    return name
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
