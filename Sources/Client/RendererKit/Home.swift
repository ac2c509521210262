import CoordinatorClient
import Languages

/// The contents of a front door: the flows that run, and the flows that can be started.
public struct Home: Sendable, Hashable {
  /// The flows that run, newest first.
  public var running: [RunningFlow]
  /// The flows that users can start, by title.
  public var startable: [FlowListing]
  /// The language of the user; nil for English.
  public var language: LanguageTag?

  /// Creates the contents of a front door.
  ///
  /// - Parameters:
  ///   - running: flows that run, in any order.
  ///   - flows: all flows that the daemon lists, in any order. Those that are parts of others are omitted.
  ///   - language: language of the user; nil for English.
  public init(running: [RunningFlow], flows: [FlowListing], language: LanguageTag?) {
    self.running = running.sorted { ($1.startedAt, $0.name) < ($0.startedAt, $1.name) }
    startable = flows.filter { !$0.isPart }
      .map { (flow: $0, title: $0.readableTitle(in: language).text.lowercased()) }
      .sorted { ($0.title, $0.flow.name) < ($1.title, $1.flow.name) }
      .map(\.flow)
    self.language = language
  }

  /// Whether no flow runs and none can be started.
  public var isEmpty: Bool { running.isEmpty && startable.isEmpty }

  /// All entries, in the order in which they are shown.
  public var entries: [HomeEntry] { running.map(HomeEntry.running) + startable.map(HomeEntry.startable) }

  /// Returns the entries as rows of a list to filter.
  ///
  /// - Parameter now: current time, in microseconds since 1970.
  /// - Returns: a row for each of ``entries``.
  package func filter(at now: UInt64) -> RowFilter {
    RowFilter(
      entries.map { entry in
        RowFilter.Row(
          title: entry.title(in: language).text, subtitle: entry.details(in: language, at: now).joined(separator: " "),
          group: entry.group)
      })
  }
}

extension FlowListing {
  /// Returns the title of the flow, or its name if it has none.
  ///
  /// - Parameter language: language of the user; nil for English.
  /// - Returns: the title, and the language that it is in.
  public func readableTitle(in language: LanguageTag?) -> TextInLanguage {
    let title = title(in: language)
    return title.text.isEmpty ? TextInLanguage(text: name, language: .english) : title
  }

  /// Whether the flow can be started without any input from the user.
  public var startsAtOnce: Bool { input?.fields.contains { $0.isRequiredIfShown } != true }
}
