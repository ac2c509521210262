import Languages

/// Continues the flow on a phone.
extension Display {
  /// Whether the flow may be continued on a phone. Not at a locked kiosk, whose users must not take the flow along.
  var isReachable: Bool { !policy.isLocked }

  /// Shows the code, and starts the server if there is none yet.
  mutating func showPhone() -> [Effect] {
    guard phase != .over, isReachable else { return [] }
    phone.isShown = true
    phone.scroll = Scroll()
    switch phone.state {
    case .starting, .ready: return []
    case .none, .failed:
      phone.state = .starting
      return [.startPhone]
    }
  }

  mutating func take(_ news: Phone.News) {
    switch news {
    case .ended(let lines): phone.state = .failed(lines)
    case .link(let link):
      phone.state = .ready(link)
      guard link.occasion == .use else { return }
      phone.isShown = false
      notice = Notice(.info, Text("This flow is open on another device now.").string)
    }
  }

  /// Handles a key while the code is shown: scrolls, or hides it.
  mutating func pressOverPhone(_ key: Key) {
    switch key {
    case .down, .wheelDown: phone.scroll.move(by: 1)
    case .up, .wheelUp: phone.scroll.move(by: -1)
    case .pageDown: phone.scroll.move(by: phone.scroll.page)
    case .pageUp: phone.scroll.move(by: -phone.scroll.page)
    default: phone.isShown = false
    }
  }
}
