import CoordinatorKit
import Platform
import RendererKit

/// The sequences to a terminal besides the cells of its screen: the title of its window, progress, notifications, links. A
/// value without I/O; its results are the sequences to send.
struct TerminalVoice: Sendable, Hashable {
  let abilities: TerminalAbilities
  private var title = ""
  private var progress: Frame.Progress?
  /// Whether the terminal has the focus, as far as it has reported.
  private var hasFocus = true

  init(_ abilities: TerminalAbilities) { self.abilities = abilities }

  private static let escape = "\u{1B}"
  /// The end of an operating system command.
  private static let end = escape + "\\"

  /// The sequence that saves the title of the window and requests focus reports.
  var greeting: String { (abilities.hasTitle ? Self.escape + "[22;2t" : "") + focusOn }

  /// The sequence that requests focus reports.
  var focusOn: String { abilities.hasFocus ? Self.escape + "[?1004h" : "" }

  /// The sequence that undoes all others. Also valid if the terminal is in the middle of a repaint.
  var farewell: String {
    (abilities.isSynchronized ? Self.escape + "[?2026l" : "") + (abilities.hasFocus ? Self.escape + "[?1004l" : "")
      + (abilities.hasProgress ? Self.progress(nil) : "") + (abilities.hasTitle ? Self.escape + "[23;2t" : "")
  }

  /// The sequences that begin and end a repaint.
  var repaint: (begin: String, end: String) {
    abilities.isSynchronized ? (Self.escape + "[?2026h", Self.escape + "[?2026l") : ("", "")
  }

  /// Forgets the sent title and progress, so that they are sent again.
  mutating func forget() { (title, progress) = ("", nil) }

  /// Records that the terminal has gained or lost the focus.
  mutating func setFocus(_ has: Bool) { hasFocus = has }

  /// Returns the sequences for changes besides the cells of a frame.
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

  /// Returns the sequence that notifies the user; empty if the terminal has the focus, because its user has seen the event.
  ///
  /// - Parameters:
  ///   - text: description of the event.
  ///   - title: title, for terminals whose notifications have one.
  /// - Returns: the sequence to send.
  func notification(_ text: String, title: String) -> String {
    guard abilities.hasFocus, !hasFocus else { return "" }
    // A semicolon would begin another part of the sequence.
    let (text, title) = (text.printable, title.printable.bytes.replacing(";", with: ","))
    switch abilities.notification {
    case .bell: return "\u{7}"
    case .message: return Self.escape + "]9;" + text + Self.end + "\u{7}"
    case .titledMessage: return Self.escape + "]777;notify;" + title + ";" + text + Self.end + "\u{7}"
    }
  }

  /// Returns the sequence that turns the texts that were just drawn into links, because ncurses cannot draw links. The cursor
  /// stays where it is.
  func links(of frame: borrowing Frame) -> String {
    guard abilities.hasLinks, !frame.links.isEmpty else { return "" }
    let texts = frame.links.map { link in
      Self.escape + "[\(link.place.row + 1);\(link.place.column + 1)H" + Self.escape + "[0;4m" + Self.escape + "]8;;"
        + link.address + Self.end + link.text + Self.escape + "]8;;" + Self.end
    }
    return Self.escape + "7" + texts.joined() + Self.escape + "8"
  }
}
