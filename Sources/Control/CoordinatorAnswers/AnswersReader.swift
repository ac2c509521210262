import Platform

/// Decodes the parts of an answers file.
enum AnswersReader {
  /// Decodes the whole file.
  static func file(_ root: YAMLNode) throws(AnswersError) -> AnswersFile {
    var file = AnswersFile()
    for (key, node) in try root.members("a mapping with the key 'answers'") {
      switch key {
      case "flow": file.flow = try node.text("the name of a flow")
      case "input":
        for (key, node) in try node.members("a mapping from key to value") { file.input[key] = try input(node) }
      case "missing":
        let name = try node.text("fail, default or ask")
        guard let policy = MissingPolicy(rawValue: name) else { throw node.error("must be fail, default or ask") }
        file.missing = policy
      case "answers":
        for (key, value) in node.isNothing ? [] : try node.members("a mapping from flow to answers") {
          file.flows.append(try flow(key, value))
        }
      default: throw node.error("unknown key; expected flow, input, missing or answers")
      }
    }
    return file
  }

  /// Decodes a value of the input. References are refused: an input is stored until its flow ends, so no flow accepts a secret
  /// in it.
  private static func input(_ node: YAMLNode) throws(AnswersError) -> AnswerValue {
    let value = try value(node)
    if case .reference = value { throw node.error("must be a value: input cannot be a secret") }
    return value
  }

  private static func flow(_ name: String, _ node: YAMLNode) throws(AnswersError) -> AnswersFile.Flow {
    if node.isNothing { return AnswersFile.Flow(name, [[]]) }
    switch try node.content() {
    case .scalar: throw node.error("must be a mapping from screen to answer, or a list of them")
    case .mapping: return AnswersFile.Flow(name, [try screens(node)])
    case .sequence(let elements):
      var coordinators: [[AnswersFile.Screen]] = []
      for element in elements { coordinators.append(try screens(element)) }
      return AnswersFile.Flow(name, coordinators, isList: true)
    }
  }

  private static func screens(_ node: YAMLNode) throws(AnswersError) -> [AnswersFile.Screen] {
    if node.isNothing { return [] }
    var screens: [AnswersFile.Screen] = []
    for (name, answers) in try node.members("a mapping from screen to answer") {
      guard case .sequence(let elements) = try answers.content() else {
        screens.append(AnswersFile.Screen(name, [try answer(answers)]))
        continue
      }
      var list: [ScreenAnswer] = []
      for element in elements {
        let answer = try answer(element)
        if case .repeated = answer, elements.count > 1 { throw element.error("'repeat' must be the only answer to its screen") }
        list.append(answer)
      }
      screens.append(AnswersFile.Screen(name, list, isList: true))
    }
    return screens
  }

  private static func answer(_ node: YAMLNode) throws(AnswersError) -> ScreenAnswer {
    if node.isNothing { return .unknown }
    switch try node.content() {
    case .scalar(let action, _): return .action(action)
    case .sequence: throw node.error("must be an answer, not a list")
    case .mapping(let members):
      if members.count == 1, let (key, value) = members.first {
        switch key {
        case "back" where try isTrue(value): return .back
        case "dismiss" where try isTrue(value): return .dismiss
        case "repeat":
          let answer = try answer(value)
          switch answer {
          case .unknown, .repeated: throw value.error("must be an answer")
          default: return .repeated(answer)
          }
        default: break
        }
      }
      var values: [String: AnswerValue] = [:]
      for (key, value) in members { values[key] = try self.value(value) }
      return .values(values)
    }
  }

  private static func isTrue(_ node: YAMLNode) throws(AnswersError) -> Bool {
    if case .scalar("true", isPlain: true) = try node.content() { return true }
    return false
  }

  private static func value(_ node: YAMLNode) throws(AnswersError) -> AnswerValue {
    if node.isNothing { return .nothing }
    switch try node.content() {
    case .scalar(let text, _): return .text(text)
    case .sequence(let elements):
      var texts: [String] = []
      for element in elements { texts.append(try element.text("a string, a number, true or false")) }
      return .list(texts)
    case .mapping(let members):
      guard members.count == 1, let (key, value) = members.first else {
        throw node.error("must be a value, or one of { fd: N }, { credential: NAME }, { file: PATH }")
      }
      return .reference(try reference(key, value, of: node))
    }
  }

  private static func reference(
    _ key: String, _ node: YAMLNode, of field: YAMLNode
  ) throws(AnswersError) -> SecretReference {
    let text = try node.text("a string or a number")
    switch key {
    case "fd":
      guard let number = Int32(text), number >= 0 else { throw node.error("must be the number of an open file descriptor") }
      return .descriptor(number)
    case "credential":
      guard !text.bytes.contains("/"), text != ".", text != "..", !text.utf8.contains(0) else {
        throw node.error("must be the name of a credential, not a path")
      }
      return .credential(text)
    case "file":
      guard !text.utf8.contains(0) else { throw node.error("must be a path") }
      return .file(text)
    default: throw field.error("must be a value, or one of { fd: N }, { credential: NAME }, { file: PATH }")
    }
  }
}

/// An answer to a screen.
public indirect enum ScreenAnswer: Sendable, Hashable {
  /// An unknown answer (`~`). Treated as missing at this position among the answers to the screen.
  case unknown
  /// The id of an action of the screen.
  case action(String)
  /// The values to fill in, by field. The key `action` names the action that sends them, by default the form's primary
  /// one; on a list, the key `select` names the item.
  case values([String: AnswerValue])
  /// Go back.
  case back
  /// End the whole flow tree as cancelled.
  case dismiss
  /// Give this answer every time the screen appears.
  case repeated(ScreenAnswer)
}

/// The value of a field in an answers file. The field's schema determines the type of text: `on` is a string for one
/// field and true for another.
public enum AnswerValue: Sendable, Hashable {
  /// No value (`~`): the field is left out.
  case nothing
  /// The text as written, without quotation marks.
  case text(String)
  /// The elements of a list as written.
  case list([String])
  /// A reference to an external value.
  case reference(SecretReference)
}

/// The source of a value that an answers file does not contain.
public enum SecretReference: Sendable, Hashable {
  /// The next line of a file descriptor that the process inherited.
  case descriptor(Int32)
  /// A credential that systemd passes to the service (`LoadCredential=`, `SetCredentialEncrypted=` in systemd.exec(5)).
  case credential(String)
  /// The contents of a file, without one trailing line break.
  case file(String)
}

extension SecretReference: CustomStringConvertible {
  /// The reference as written in an answers file.
  public var description: String {
    switch self {
    case .descriptor(let number): "{ fd: \(number) }"
    case .credential(let name): "{ credential: \(YAMLText.scalar(name)) }"
    case .file(let path): "{ file: \(YAMLText.scalar(path)) }"
    }
  }
}
