import CoordinatorKit
import Platform
import RendererKit

/// What is said to a terminal beside the cells of its screen: the title of its window, progress, notifications, links.
/// A value without I/O; its results are the sequences to send.
struct TerminalVoice: Sendable, Hashable {
  let abilities: TerminalAbilities
  private var title = ""
  private var progress: Frame.Progress?
  /// Whether the terminal has the focus, as far as it has said.
  private var hasFocus = true

  init(_ abilities: TerminalAbilities) { self.abilities = abilities }

  private static let escape = "\u{1B}"
  /// The end of an operating system command.
  private static let end = escape + "\\"

  /// Saves the title of the window, and asks to be told about the focus.
  var greeting: String { (abilities.hasTitle ? Self.escape + "[22;2t" : "") + focusOn }

  /// Asks to be told about the focus.
  var focusOn: String { abilities.hasFocus ? Self.escape + "[?1004h" : "" }

  /// Undoes everything. Also right if the terminal is in the middle of a repaint.
  var farewell: String {
    (abilities.isSynchronized ? Self.escape + "[?2026l" : "") + (abilities.hasFocus ? Self.escape + "[?1004l" : "")
      + (abilities.hasProgress ? Self.progress(nil) : "") + (abilities.hasTitle ? Self.escape + "[23;2t" : "")
  }

  /// What begins and ends a repaint.
  var repaint: (begin: String, end: String) {
    abilities.isSynchronized ? (Self.escape + "[?2026h", Self.escape + "[?2026l") : ("", "")
  }

  /// Forgets what was said, so that it is said again.
  mutating func forget() { (title, progress) = ("", nil) }

  /// Notes that the terminal has gained or lost the focus.
  mutating func setFocus(_ has: Bool) { hasFocus = has }

  /// Returns what has changed beside the cells of a frame.
  mutating func news(of frame: borrowing Frame) -> String {
    var text = ""
    if abilities.hasTitle, frame.title != title, !frame.title.isEmpty {
      title = frame.title
      text += Self.escape + "]2;" + title.printable + Self.end
    }
    if abilities.hasProgress, frame.progress != progress {
      progress = frame.progress
      text += Self.progress(progress)
    }
    return text
  }

  private static func progress(_ progress: Frame.Progress?) -> String {
    let state =
      switch progress {
      case nil: "0"
      case .unknown: "3"
      case .percent(let percent): "1;\(percent)"
      }
    return escape + "]9;4;" + state + end
  }

  /// Returns what notifies the user; empty if the terminal has the focus, and its user sees what has happened.
  ///
  /// - Parameters:
  ///   - text: what has happened.
  ///   - title: title of a notification that has one.
  /// - Returns: the sequence to send.
  func notification(_ text: String, title: String) -> String {
    guard abilities.hasFocus, !hasFocus else { return "" }
    // A semicolon would begin another part.
    let (text, title) = (text.printable, title.printable.bytes.replacing(";", with: ","))
    switch abilities.notification {
    case .bell: return "\u{7}"
    case .message: return Self.escape + "]9;" + text + Self.end + "\u{7}"
    case .titledMessage: return Self.escape + "]777;notify;" + title + ";" + text + Self.end + "\u{7}"
    }
  }

  /// Returns what makes links of the texts that were just drawn: ncurses cannot. The cursor stays where it is.
  func links(of frame: borrowing Frame) -> String {
    guard abilities.hasLinks, !frame.links.isEmpty else { return "" }
    let texts = frame.links.map { link in
      Self.escape + "[\(link.place.row + 1);\(link.place.column + 1)H" + Self.escape + "[0;4m" + Self.escape + "]8;;"
        + link.address + Self.end + link.text + Self.escape + "]8;;" + Self.end
    }
    return Self.escape + "7" + texts.joined() + Self.escape + "8"
  }
}
