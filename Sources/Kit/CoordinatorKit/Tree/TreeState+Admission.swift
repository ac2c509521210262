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
      let item = event == Event.select ? payload["id"]?.string : nil
      guard seen >= screen.lastChange(concerning: event, item: item) else { throw .staleScreen(id, .changed) }
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

extension Screen {
  /// Checks an event and its payload against what the screen offers (rule 7).
  func accept(
    _ event: String, _ payload: [String: JSONValue], of coordinator: CoordinatorPath
  ) throws(CallError) -> Payload {
    if event == Event.select, let items { return try acceptSelection(payload, items) }
    guard let action = actions.first(where: { $0.id == event }) else {
      throw .unknownEvent(UnknownEvent(event, coordinator: coordinator, screen: name, offered: offeredEvents))
    }
    let schema = action.role == .primary ? (form ?? Form()).schema : Form().schema
    do throws(InvalidPayload) {
      return try schema.accept(payload)
    } catch {
      throw .invalidPayload(error.fields)
    }
  }

  /// The names of the events that can be sent from the screen.
  private var offeredEvents: [String] { actions.map(\.id) + (items == nil ? [] : [Event.select]) }

  private func acceptSelection(_ payload: [String: JSONValue], _ items: [Item]) throws(CallError) -> Payload {
    do throws(InvalidPayload) {
      let accepted = try Self.selection.accept(payload)
      guard let id = accepted.string("id"), items.contains(where: { $0.id == id }) else {
        throw InvalidPayload(fields: ["id": "is not in the list"])
      }
      return accepted
    } catch {
      throw .invalidPayload(error.fields)
    }
  }

  private static let selection = Form(Field("id", .string(title: "Item"))).schema
}
