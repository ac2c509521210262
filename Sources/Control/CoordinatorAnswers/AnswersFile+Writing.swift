import Platform

extension AnswersFile {
  /// Returns the text of the file.
  ///
  /// - Parameter heading: lines of a comment for users at the top of the file.
  /// - Returns: YAML that ``init(yaml:)`` parses to the same file, except for the notes.
  public func yaml(heading: [String] = []) -> String {
    var lines = heading.map(YAMLText.comment)
    if let flow { lines.append("flow: \(YAMLText.scalar(flow))") }
    if let missing { lines.append("missing: \(missing.rawValue)") }
    if !input.isEmpty {
      lines.append("input:")
      lines += Self.lines(of: input).map { "  " + $0 }
    }
    lines.append(flows.isEmpty ? "answers: {}" : "answers:")
    for flow in flows { lines += flow.lines.map { "  " + $0 } }
    return lines.map { $0 + "\n" }.joined()
  }

  fileprivate static func lines(of values: [String: AnswerValue]) -> [String] {
    values.sorted { $0.key < $1.key }.map { "\(YAMLText.scalar($0.key)): \($0.value.yaml)" }
  }
}

extension AnswersFile.Flow {
  fileprivate var lines: [String] {
    let blocks = coordinators.map { screens in screens.isEmpty ? ["{}"] : screens.flatMap(\.lines) }
    guard !isList else {
      return ["\(YAMLText.scalar(name)):"] + blocks.flatMap { Self.element($0) }
    }
    let screens = blocks.first ?? []
    return screens == ["{}"] ? ["\(YAMLText.scalar(name)): {}"] : ["\(YAMLText.scalar(name)):"] + screens.map { "  " + $0 }
  }

  fileprivate static func element(_ lines: [String]) -> [String] {
    lines.enumerated().map { ($0.offset == 0 ? "  - " : "    ") + $0.element }
  }
}

extension AnswersFile.Screen {
  fileprivate var lines: [String] {
    let comment = note.map { "  " + YAMLText.comment($0) } ?? ""
    let key = "\(YAMLText.scalar(name)):"
    if !isList, let answer = answers.first {
      let body = answer.lines
      guard body.count > 1, let first = body.first else { return ["\(key) \(body.first ?? "~")\(comment)"] }
      return ["\(key)\(comment)", "  \(first)"] + body.dropFirst().map { "  " + $0 }
    }
    return ["\(key)\(answers.isEmpty ? " []" : "")\(comment)"] + answers.flatMap { AnswersFile.Flow.element($0.lines) }
  }
}

extension ScreenAnswer {
  /// A single line, or the lines of a mapping.
  fileprivate var lines: [String] {
    switch self {
    case .unknown: return ["~"]
    case .action(let id): return [YAMLText.scalar(id)]
    case .back: return ["{ back: true }"]
    case .dismiss: return ["{ dismiss: true }"]
    case .repeated(let answer): return ["{ repeat: \(answer.inline) }"]
    case .values(let values):
      let lines = AnswersFile.lines(of: values)
      return lines.count > 1 ? lines : [inline]
    }
  }

  private var inline: String {
    switch self {
    case .values(let values):
      values.isEmpty ? "{}" : "{ \(AnswersFile.lines(of: values).joined(separator: ", ")) }"
    default: lines.first ?? "~"
    }
  }
}

extension AnswerValue {
  fileprivate var yaml: String {
    switch self {
    case .nothing: "~"
    case .text(let text): YAMLText.scalar(text)
    case .list(let texts): "[\(texts.map(YAMLText.scalar).joined(separator: ", "))]"
    case .reference(let reference): reference.description
    }
  }
}
