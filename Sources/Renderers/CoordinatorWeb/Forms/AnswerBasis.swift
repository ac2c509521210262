import CoordinatorKit
import Platform

/// Fingerprints of the parts of a screen that its possible answers depend on. Each button carries one.
///
/// A screen may be updated between a page and its answer: rows appear and disappear, a count increases. The answer still has
/// the same meaning if the row or the button is the same and the form has the same fields, and, unless the screen is a list, if
/// the title, the text, the picture and the answers under review are the same. If every update invalidated the page, a user
/// without JavaScript could never answer a screen that is updated faster than people click.
struct AnswerBasis: Sendable {
  private var common: Hasher

  /// Creates the fingerprints for a screen.
  init(of screen: Screen) {
    var hasher = Hasher()
    hasher.combine(screen.kind)
    hasher.combine(screen.form)
    if screen.kind != .list {
      hasher.combine(screen.title)
      hasher.combine(screen.body)
      hasher.combine(screen.picture)
      hasher.combine(screen.review)
    }
    if screen.kind == .menu { hasher.combine(screen.actions) }
    common = hasher
  }

  /// Returns the fingerprint for choosing a row. Valid for the lifetime of this process, like sessions.
  func digits(for item: Item) -> String {
    // Ids that only look alike identify different rows.
    var basis = self
    basis.common.combine(item.id.bytes)
    return basis.digits(with: item)
  }

  /// Returns the fingerprint for pressing a button.
  func digits(for action: Action) -> String { digits(with: action) }

  /// Returns the fingerprint for changing an answer under review.
  func digits(for row: ReviewRow) -> String { digits(with: row) }

  /// Returns the fingerprint for sending several rows. In addition, each row has its own fingerprint.
  func digits(for choosing: Choosing) -> String { digits(with: choosing) }

  private func digits(with choice: some Hashable) -> String {
    var hasher = common
    hasher.combine(choice)
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }
}
