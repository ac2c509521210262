import Platform

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

/// The progress of a gauge.
package struct GaugeProgress: Sendable, Hashable {
  /// The percentage, from 0 to 100.
  package private(set) var percent: Int
  /// The text that replaces the box's text; nil if the program has not sent any.
  package var text: ProgramText?

  /// Creates a value; clamps the percentage to 0 to 100.
  package init(percent: Int, text: ProgramText? = nil) {
    self.percent = min(max(percent, 0), 100)
    self.text = text
  }
}

/// The dialect of a gauge's standard input.
package enum GaugeDialect: Sendable, Hashable {
  /// The dialect of whiptail.
  case whiptail
  /// The dialect of dialog, with these options.
  case dialog(flags: Set<String>)
}

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

/// The inputs and outputs of a call while it is evaluated.
struct DialogConsole {
  /// The inputs that the call has not taken yet.
  private var inputs: ArraySlice<DialogInput>
  /// The maximum number of rows that a screen can have.
  static let mostRows = 10_000
  /// The output of the call so far.
  private var outputs: [CommandResult.Output] = []

  init(inputs: ArraySlice<DialogInput>) { self.inputs = inputs }

  mutating func write(_ text: ProgramText, to descriptor: Int32) {
    guard !text.isEmpty else { return }
    if let last = outputs.indices.last, outputs[last].descriptor == descriptor {
      outputs[last].bytes += text.bytes
    } else {
      outputs.append(.init(text.bytes, to: descriptor))
    }
  }

  /// Ends the call with everything written so far.
  func ended(_ status: Int) -> DialogStep {
    .end(CommandResult(status: UInt8(truncatingIfNeeded: status), outputs: outputs))
  }

  /// Ends the call with coordinatord's own message about a feature that the program supports and coordinatord does not.
  func refused(_ program: String, _ sentence: String) -> DialogStep {
    var console = self
    console.write(ProgramText("\(program): \(sentence)\n"), to: 2)
    return console.ended(255)
  }

  /// Takes the next input.
  ///
  /// - Parameter step: the step that the call needs.
  /// - Returns: the input.
  /// - Throws: `step`, if the call has not received the input yet.
  mutating func take(_ step: DialogStep) throws(DialogStep) -> DialogInput {
    guard let input = inputs.popFirst() else { throw step }
    return input
  }

  /// Asks until an answer fits the box.
  mutating func choose(_ box: DialogBox) throws(DialogStep) -> DialogChoice {
    guard box.items.count <= Self.mostRows else {
      throw refused(box.name, "a list of more than \(Self.mostRows) rows cannot be shown")
    }
    while true {
      guard case .answer(let answer) = try take(.ask(box.question)), let choice = DialogChoice(answer, to: box) else { continue }
      guard let role = choice.unfinished else { return choice }
      let focused = box.asking(role)
      while true {
        guard case .answer(let answer) = try take(.ask(focused.question)) else { continue }
        if answer == .back { break }
        if let choice = DialogChoice(answer, to: focused) { return choice.with(role) }
      }
    }
  }
}

/// The result of a command that replaces a real one.
package struct CommandResult: Sendable, Hashable {
  /// The exit status.
  package var status: UInt8
  /// The output before the exit, by file descriptor, in this order.
  package var outputs: [Output]

  /// Bytes for a file descriptor.
  package struct Output: Sendable, Hashable {
    package var descriptor: Int32
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8], to descriptor: Int32) { (self.bytes, self.descriptor) = (bytes, descriptor) }
  }

  package init(status: UInt8, outputs: [Output] = []) { (self.status, self.outputs) = (status, outputs) }
}
