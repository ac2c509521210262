import Platform

/// Reads the standard input of a gauge incrementally.
///
/// A line is a percentage. A line `XXX` begins a block: a percentage and a text, up to another `XXX`.
package struct GaugeReader: Sendable, Hashable {
  /// The current progress.
  package private(set) var progress: GaugeProgress
  private let dialect: GaugeDialect
  private var line: [UInt8] = []
  private var block: Block?

  private struct Block: Sendable, Hashable {
    var percent: Int?
    var text: [UInt8] = []
    var hasFirstLine = false
  }

  /// The maximum length of a line and of a text; the rest is dropped.
  private static let longest = 16_384

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - dialect: the dialect of the program.
  ///   - progress: the initial progress of the gauge.
  package init(_ dialect: GaugeDialect, from progress: GaugeProgress) { (self.dialect, self.progress) = (dialect, progress) }

  /// Reads some bytes.
  ///
  /// - Parameter bytes: the bytes that the program has written.
  /// - Returns: whether the gauge has changed.
  package mutating func read(_ bytes: some Sequence<UInt8>) -> Bool {
    let before = progress
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        take(line)
        line = []
      } else if line.count < Self.longest {
        line.append(byte)
      }
    }
    return progress != before
  }

  private mutating func take(_ line: [UInt8]) {
    guard var block else {
      if isMarker(line) { block = Block() } else if let percent = percent(line) { setPercent(percent) }
      return
    }
    if block.hasFirstLine, isMarker(line) { return finish(block) }
    if !block.hasFirstLine {
      block.hasFirstLine = true
      block.percent = percent(line)
      // Some programs omit the percentage.
      if block.percent == nil, dialect != .whiptail { block.text = prepared(line) }
    } else if block.text.count + line.count < Self.longest {
      block.text += prepared(line)
    }
    self.block = block
  }

  private mutating func finish(_ block: Block) {
    var text = block.text
    while let last = text.last, last.isASCIISpace { text.removeLast() }
    progress.text = ProgramText(text)
    if let percent = block.percent { setPercent(percent) }
    self.block = nil
  }

  private mutating func setPercent(_ percent: Int) { progress = GaugeProgress(percent: percent, text: progress.text) }

  /// Returns a line of text with its line break. dialog trims each line separately.
  private func prepared(_ line: [UInt8]) -> [UInt8] {
    let line = ProgramText(line + [UInt8(ascii: "\n")])
    switch dialect {
    case .whiptail: return line.withLineBreaks.bytes
    case .dialog(let flags): return DialogPrompt.prepare(line, flags: flags).bytes
    }
  }

  private func isMarker(_ line: [UInt8]) -> Bool {
    dialect == .whiptail ? line == Array("XXX".utf8) : line.starts(with: "XXX".utf8)
  }

  /// Returns the percentage in a line; nil if the line is not a number.
  private func percent(_ line: [UInt8]) -> Int? {
    let text = ProgramText(line)
    if dialect == .whiptail { return CNumber.whole(text) }
    let number = CNumber(text)
    let isAlone = number.length == line.count || line[number.length].isASCIISpace
    return isAlone && number.value >= 0 ? number.value : nil
  }
}
