import Foundation

/// Inserts the figures of a run between two marks of a document.
struct Report {
  /// The document lacks the marks.
  struct NoMarks: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) has no lines '\(Report.begin)' and '\(Report.end)' to write between" }
  }

  private static let begin = "<!-- figures -->"
  private static let end = "<!-- end of figures -->"

  /// Replaces the text between the marks.
  ///
  /// - Throws: ``NoMarks``; errors of the file system.
  static func write(_ table: String, measuredOn machine: Machine, to path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard let begin = text.range(of: begin), let end = text.range(of: end, range: begin.upperBound..<text.endIndex) else {
      throw NoMarks(path: path)
    }
    let figures = "\n\nMeasured on: \(machine.description).\n\n\(table)\n\n"
    try text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: figures)
      .write(toFile: path, atomically: true, encoding: .utf8)
  }
}
