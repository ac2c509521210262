extension Transition {
  /// Throws if the result of the transition exceeds a limit. Called after all handlers have run.
  func checkLimits() throws(Refusal) {
    if let breach { throw breach }
    var size = 0
    for screen in window.screens {
      size += screen.roughSize
      guard size <= limits.maxWindowSize else { throw .limitExceeded("the screens are too large to send") }
    }
    let difference = WindowDifference(from: before.window, to: window)
    for screen in difference.screens {
      if let old = difference.old(screen.id), old.content == screen.content { continue }
      try check(screen.content)
    }
  }

  private func check(_ screen: Screen) throws(Refusal) {
    if let items = screen.items, items.count > limits.maxItems {
      throw .limitExceeded("a list must not have more than \(limits.maxItems) items, but \(screen.name) has \(items.count)")
    }
    // A value is one level below the object that contains all values.
    guard screen.values.values.allSatisfy({ $0.depth < limits.maxNesting }) else {
      throw .limitExceeded("values must not be nested deeper than \(limits.maxNesting) levels")
    }
    guard screen.values.values.allSatisfy(\.canBeSent) else {
      throw .limitExceeded("values must not contain null in an array, NUL, or a non-finite number")
    }
  }

  /// Ends a root that has nothing left to show and no child or work to wait for (rule 1).
  ///
  /// - Returns: whether the root was ended.
  mutating func endIfNothingIsLeft() -> Bool {
    guard let root = after.coordinators[after.root], root.children.isEmpty, root.work.isEmpty, window.screens.isEmpty,
      root.belongings.childEnds.isEmpty
    else {
      return false
    }
    end(after.root, .failed(.nothingToShow))
    return true
  }
}

extension Screen {
  /// The approximate size on the bus in bytes, within a small factor.
  var roughSize: Int {
    var size = 512 + title.utf8.count + body.utf8.count
    for item in items ?? [] {
      size +=
        64 + item.id.utf8.count + item.title.utf8.count + (item.subtitle?.utf8.count ?? 0)
        + (item.group?.utf8.count ?? 0) + (item.disabled?.utf8.count ?? 0)
    }
    for action in actions {
      size += 96 + action.id.utf8.count + action.title.utf8.count + (action.summary?.utf8.count ?? 0)
      size += (action.confirmation?.utf8.count ?? 0) + (action.disabled?.utf8.count ?? 0)
    }
    for message in messages { size += 128 + message.code.utf8.count + message.text.utf8.count }
    for (key, value) in values { size += 32 + key.utf8.count + value.roughSize }
    if let extras { size += extras.values.roughSize }
    return size
  }
}

extension ScreenExtras.Values {
  /// The approximate size on the bus in bytes, within a small factor.
  fileprivate var roughSize: Int {
    var size = 128
    for id in (choosing?.initial ?? []) + (suggested ?? []) { size += 16 + id.utf8.count }
    for block in markup?.blocks ?? [] {
      size += 64
      for span in block.spans { size += 96 + span.text.utf8.count + (span.link?.utf8.count ?? 0) }
    }
    switch picture {
    case .image(let image, let description): size += image.bytes.count + description.utf8.count
    case .code(let text): size += text.utf8.count
    case nil: break
    }
    for row in review { size += 128 + row.title.utf8.count + row.value.utf8.count }
    return size
  }
}
