import CoordinatorKit
import Platform

/// A line that apt writes to the file descriptor `APT::Status-Fd`.
package enum AptStatus: Sendable, Hashable {
  /// Files are being fetched.
  case download(item: Int, percent: Double, text: String)
  /// A package is being installed, configured or removed.
  case package(String, percent: Double, text: String)
  /// A package has failed.
  case failure(package: String, percent: Double, text: String)
  /// dpkg asks a question about a configuration file, on its terminal.
  case conffile(path: String, percent: Double, question: ConffileQuestion)
  /// A medium must be inserted.
  case medium(name: String, drive: String)

  /// Reads a line; returns nil if its kind is unknown.
  ///
  /// - Parameter line: the line without its line break.
  package init?(_ line: String) {
    let fields = line.bytes.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard let kind = fields.first else { return nil }
    if kind == "media-change" {
      // The form is "media-change: medium 'NAME' in drive 'DRIVE'"; newer versions write NAME:DRIVE.
      let quoted = line.bytes.split(separator: "'", omittingEmptySubsequences: false)
      if quoted.count >= 4 {
        self = .medium(name: String(quoted[1]), drive: String(quoted[3]))
      } else {
        let words = (line.bytes.dropping(prefix: "\(kind):") ?? "").bytes.split(separator: ":", maxSplits: 1)
        guard let name = words.first else { return nil }
        self = .medium(
          name: ForeignText(name).line, drive: words.count > 1 ? ForeignText(words[1]).line : "")
      }
      return
    }
    guard fields.count == 4, let percent = Double(fields[2]), percent.isFinite else { return nil }
    let clamped = min(max(percent, 0), 100)
    switch kind {
    case "dlstatus":
      guard let item = Int(fields[1]) else { return nil }
      self = .download(item: item, percent: clamped, text: fields[3])
    case "pmstatus": self = .package(fields[1], percent: clamped, text: fields[3])
    case "pmerror": self = .failure(package: fields[1], percent: clamped, text: fields[3])
    case "pmconffile":
      guard let question = ConffileQuestion(fields[3]) else { return nil }
      self = .conffile(path: fields[1], percent: clamped, question: question)
    default: return nil
    }
  }

  /// The progress as a screen has it; nil if the line says nothing about it.
  package var progress: Progress? {
    switch self {
    case .download(_, let percent, let text), .package(_, let percent, let text):
      Progress(fraction: percent / 100, text: Text(verbatim: ForeignText(text).line))
    case .failure(_, let percent, _), .conffile(_, let percent, _): Progress(fraction: percent / 100)
    case .medium: nil
    }
  }
}

/// The description of a configuration file that dpkg waits for a decision about, as dpkg and apt report it.
package struct ConffileQuestion: Sendable, Hashable {
  /// The file in use.
  package let current: String
  /// The file of the package.
  package let new: String
  /// Whether the administrator has changed the file in use.
  package let isEdited: Bool
  /// Whether the package has changed its file.
  package let isUpdated: Bool

  /// Reads `'CURRENT' 'NEW' EDITED UPDATED`.
  package init?(_ text: some StringProtocol) {
    guard let (_, quoted) = String(text).bytes.cut(at: "'"), let (names, rest) = quoted.bytes.cutLast(at: "'"),
      let (current, new) = names.bytes.cut(at: "' '")
    else { return nil }
    let flags = rest.bytes.split(separator: " ")
    guard flags.count == 2, flags.allSatisfy({ $0 == "0" || $0 == "1" }) else { return nil }
    (self.current, self.new) = (String(current), String(new))
    (isEdited, isUpdated) = (flags[0] == "1", flags[1] == "1")
  }

  /// Reads a line that dpkg writes to its `--status-fd`: `status: FILE : conffile-prompt : 'CURRENT' 'NEW' 1 1`.
  ///
  /// - Parameter line: the line without its line break.
  /// - Returns: the file and the question; nil for any other line.
  package static func read(dpkgStatus line: String) -> (path: String, question: ConffileQuestion)? {
    guard let (path, names) = line.bytes.dropping(prefix: "status: ")?.bytes.cut(at: " : conffile-prompt : "),
      let question = ConffileQuestion(names)
    else { return nil }
    return (String(path), question)
  }
}
