import Languages

/// The title of a page, as a browser shows it in a tab, and a screen reader reads it first.
struct PageTitle: Sendable, Hashable {
  /// The title.
  let text: String

  /// Composes a title. The most important part comes first, because tabs are narrow.
  ///
  /// - Parameters:
  ///   - page: title of the page.
  ///   - hasError: whether the page has an error.
  ///   - percent: progress of the work on the page, in words; nil if it is not known.
  ///   - isDone: whether the page reports a success.
  ///   - site: name of the provider of the flow; nil for none.
  init(_ page: String, hasError: Bool = false, percent: String? = nil, isDone: Bool = false, site: String?) {
    var title = page
    if let site, site != page { title = title.isEmpty ? site : "\(title) – \(site)" }
    if let percent {
      // TRANSLATORS: The title of a browser's tab while work is done, such as "35% – Installing".
      title = Text("{percent} – {title}", ["percent": percent, "title": title]).string
    }
    if isDone { title = "✓ \(title)" }
    // TRANSLATORS: The title of a page that has mistakes.
    if hasError { title = Text("Error: {title}", ["title": title]).string }
    text = title
  }
}
