/// Follows the standard input of a box and makes the screens for it.
struct DialogFeedReader: Sendable, Hashable {
  private let box: DialogBox
  private var gauge: GaugeReader?
  private var lines: [[UInt8]] = [[]]

  /// The maximum number of lines that are shown, and their maximum length.
  private static let most = 200, longest = 1_000

  init(_ box: DialogBox, _ feed: DialogFeed) {
    self.box = box
    if case .gauge(let dialect, let progress) = feed { gauge = GaugeReader(dialect, from: progress) }
  }

  /// The current screen of the box.
  var question: ProgramQuestion {
    gauge.map { box.display($0.progress) } ?? box.display(lines: ProgramText(lines.joined(separator: [0x0a])))
  }

  /// Reads some bytes; returns nil if the screen stays the same.
  mutating func read(_ bytes: [UInt8]) -> ProgramQuestion? {
    if var reader = gauge {
      let changes = reader.read(bytes)
      gauge = reader
      return changes ? question : nil
    }
    for byte in bytes {
      if byte == 0x0a || byte == 0x0d {
        if byte == 0x0a || lines.last?.isEmpty == false { lines.append([]) }
      } else if lines[lines.count - 1].count < Self.longest {
        lines[lines.count - 1].append(byte)
      }
    }
    if lines.count > Self.most { lines.removeFirst(lines.count - Self.most) }
    return question
  }
}
