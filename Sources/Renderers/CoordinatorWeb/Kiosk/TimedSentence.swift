import Platform
import RendererKit

/// A sentence with a remaining time. The script counts from that time, because the clocks of browser and server may differ.
struct TimedSentence {
  private let left: Duration
  private let sentence: (String) -> String

  /// Creates a sentence.
  ///
  /// - Parameters:
  ///   - left: remaining time.
  ///   - sentence: closure that inserts the time.
  init(left: Duration, _ sentence: @escaping (String) -> String) {
    self.left = left
    self.sentence = sentence
  }

  /// Returns a time in milliseconds, as the script reads it.
  static func milliseconds(_ time: Duration) -> String {
    let (seconds, rest) = time.components
    return String(max(0, seconds * 1000 + rest / 1_000_000_000_000_000))
  }

  /// The markup. The time is a separate element, wherever it is in the sentence.
  var html: HTML {
    let mark = "\u{1}"
    let parts = sentence(mark).bytes.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return group {
      parts[0]
      tag("span", .class("clock"), Attribute("data-left", Self.milliseconds(left)), Attribute("dir", "ltr")) {
        ClockTime(left).description
      }
      parts.dropFirst().joined()
    }
  }
}
