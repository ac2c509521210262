extension TreeState {
  /// Checks a draft. The values are not checked against their schemas, because they may be incomplete.
  ///
  /// - Parameters:
  ///   - draft: what the user typed, by field.
  ///   - id: the id of the screen.
  ///   - limit: the approximate maximum size in bytes of memory.
  /// - Returns: the draft to keep, without nulls.
  /// - Throws: ``CallError``.
  func admit(draft: [String: JSONValue], on id: ScreenID, limit: Int) throws(CallError) -> [String: JSONValue] {
    let screen = try actionable(id)
    let draft = draft.filter { !$0.value.isNull }
    let reasons = (screen.content.form ?? Form()).schema.check(draft: draft)
    guard reasons.isEmpty else { throw .invalidPayload(reasons) }
    guard JSONValue.object(draft).roughSize <= limit else {
      throw .refused(.limitExceeded("a draft must not be larger than \(limit >> 10) KiB"))
    }
    return draft
  }
}

extension Schema {
  /// Returns what is wrong with a draft, by field.
  fileprivate func check(draft: [String: JSONValue]) -> [String: String] {
    var reasons: [String: String] = [:]
    for (name, value) in draft {
      if let field = fields.first(where: { $0.name == name && $0.name.utf8.elementsEqual(name.utf8) }) {
        reasons[name] = field.schema.isSecret ? "is confidential, so it is not stored" : value.problemAsDraft
      } else {
        reasons[name] = "is not a known field"
      }
    }
    return reasons
  }
}

extension JSONValue {
  fileprivate var problemAsDraft: String? {
    switch self {
    case .array(let entries):
      entries.allSatisfy { $0.isScalar || $0.isSmallObject }
        ? nil : "must be a list of strings, numbers, booleans, or objects of those"
    case .object: "is not supported here"
    default: canBeSent ? nil : "cannot be represented on the bus"
    }
  }

  /// Whether the value can be an entry of a list of small objects. Its fields are not checked, like all values of drafts.
  private var isSmallObject: Bool { object?.values.allSatisfy { $0.isNull || $0.isScalar } ?? false }

  private var isScalar: Bool {
    switch self {
    case .null, .array, .object: false
    default: canBeSent
    }
  }
}

extension Screen {
  /// Returns whether an event is the one that sends the form.
  func isForm(sentBy event: String) -> Bool {
    form != nil && actions.contains { $0.id == event && $0.role == .primary }
  }
}
