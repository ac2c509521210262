extension TreeState {
  /// Checks a draft. The values are not checked against their schemas, because they may be incomplete.
  ///
  /// - Parameters:
  ///   - draft: the user's input, by field.
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
  /// Returns the problems of a draft, by field.
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

extension TreeState {
  /// Checks an event against the screen that it claims to come from.
  ///
  /// The contract defines the order of the checks: unknown coordinator, unknown screen, stale screen, unknown event,
  /// payload.
  ///
  /// - Returns: the screen, and the payload for the handler, with its secrets separated.
  func admit(
    _ event: String, payload: [String: JSONValue], on id: ScreenID, of path: CoordinatorPath, seen: UInt64?
  ) throws(CallError) -> (screen: ShownScreen, payload: Payload) {
    guard coordinators[path] != nil else { throw .unknownCoordinator(path) }
    let screen = try actionable(id)
    guard screen.coordinator == path else { throw .staleScreen(id, .elsewhere) }
    guard window.top?.id == id else { throw .staleScreen(id, .covered) }
    if let seen {
      guard
        seen
          >= screen.lastChange(
            concerning: event, items: Event.items(chosenBy: event, payload, of: screen.content.items?.count ?? 0))
      else {
        throw .staleScreen(id, .changed)
      }
    }
    return (screen, try screen.content.accept(event, payload, of: path))
  }

  /// Checks that the user may go back from a screen.
  func admitBack(from id: ScreenID) throws(CallError) -> ShownScreen {
    let screen = try actionable(id)
    guard window.top?.id == id else { throw .staleScreen(id, .covered) }
    guard screen.back else { throw .refused(.notDismissable("cannot go back from the screen \(screen.content.name)")) }
    return screen
  }

  func actionable(_ id: ScreenID) throws(CallError) -> ShownScreen {
    guard hasSeen(id) else { throw .unknownScreen(id) }
    guard let screen = window[id] else { throw .staleScreen(id, .gone) }
    return screen
  }
}

extension Event {
  /// Returns the ids of the rows that an event chooses; nil if it chooses none.
  fileprivate static func items(
    chosenBy event: String, _ payload: [String: JSONValue], of count: Int
  ) -> [String]? {
    guard event == select else { return nil }
    if let ids = payload["ids"]?.array {
      // A payload with more ids than rows will be refused, so its ids need not be looked up.
      return ids.count <= count ? ids.compactMap(\.string) : []
    }
    return payload["id"]?.string.map { [$0] }
  }
}

extension Screen {
  /// Checks an event and its payload against the contents of the screen (rule 7).
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - payload: its payload.
  ///   - coordinator: the coordinator that the screen belongs to, for the error.
  /// - Returns: the payload, with its secrets separated.
  /// - Throws: ``CallError``.
  package func accept(
    _ event: String, _ payload: [String: JSONValue], of coordinator: CoordinatorPath
  ) throws(CallError) -> Payload {
    if event == Event.select, let items { return try acceptSelection(payload, items) }
    if event == ReviewRow.change, offersChange { return try acceptChange(payload) }
    guard let action = actions.first(where: { $0.id == event && $0.id.utf8.elementsEqual(event.utf8) }) else {
      throw .unknownEvent(UnknownEvent(event, coordinator: coordinator, screen: name, offered: offeredEvents))
    }
    if let reason = action.disabled { throw .refused(.denied(reason)) }
    let schema = action.role == .primary ? (form ?? Form()).schema : Form().schema
    do throws(InvalidPayload) {
      return try schema.accept(payload)
    } catch {
      throw .invalidPayload(error.fields)
    }
  }

  /// Whether answers under review can be changed now. False while work uses them.
  var offersChange: Bool { progress == nil && review.contains { $0.screen != nil } }

  /// The names of the events that can be sent from the screen.
  private var offeredEvents: [String] {
    actions.map(\.id) + (items == nil ? [] : [Event.select]) + (offersChange ? [ReviewRow.change] : [])
  }

  private func acceptSelection(_ payload: [String: JSONValue], _ items: [Item]) throws(CallError) -> Payload {
    do throws(InvalidPayload) {
      guard let count = choosing?.count, payload["ids"] != nil || count.lowerBound > 1 else {
        let accepted = try Self.selection.accept(payload)
        try check([accepted.string("id") ?? ""], in: items, field: "id")
        return accepted
      }
      let accepted = try Self.selections(count).accept(payload)
      try check(accepted.array("ids")?.compactMap(\.string) ?? [], in: items, field: "ids")
      return accepted
    } catch {
      throw .invalidPayload(error.fields)
    }
  }

  private func check(_ ids: [String], in items: [Item], field: String) throws(InvalidPayload) {
    let byID = ids.count > 1 ? Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one }) : nil
    // Strings are equal if they are canonically equivalent, but only exact ids of the offered items can be chosen.
    func isMeant(_ item: Item, by id: String) -> Bool { item.id == id && item.id.utf8.elementsEqual(id.utf8) }
    for id in ids {
      let likely = byID?[id].flatMap { isMeant($0, by: id) ? $0 : nil }
      guard let item = likely ?? items.first(where: { isMeant($0, by: id) }) else {
        let reason =
          field == "id" ? Text("is not in the list") : Text("contains {id}, which is not in the list", ["id": id])
        throw InvalidPayload(fields: [field: reason.string])
      }
      if let reason = item.disabled {
        throw InvalidPayload(fields: [field: Text("cannot be chosen: {reason}", ["reason": reason]).string])
      }
    }
  }

  private func acceptChange(_ payload: [String: JSONValue]) throws(CallError) -> Payload {
    do throws(InvalidPayload) {
      let accepted = try Self.change.accept(payload)
      guard let id = accepted.integer("id"), review.contains(where: { $0.screen.map { Int64(clamping: $0.number) } == id }) else {
        throw InvalidPayload(fields: ["id": Text("is not under review").string])
      }
      return accepted
    } catch {
      throw .invalidPayload(error.fields)
    }
  }

  private static let selection = Form(Field("id", .string(title: Text(verbatim: "Item")))).schema
  private static let change = Form(Field("id", .integer(title: Text(verbatim: "Screen")))).schema

  private static func selections(_ count: ClosedRange<Int>) -> Schema {
    Form(
      Field(
        "ids", .array(of: .string(title: Text(verbatim: "Item")), title: Text(verbatim: "Items"), count: count, isUnique: true))
    ).schema
  }
}
