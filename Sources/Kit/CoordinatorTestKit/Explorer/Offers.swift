import CoordinatorKit

/// The events that screens offer, and the answers to them.
struct Offers {
  private struct Offer {
    let path: [String]
    /// Whether a payload for the event is known.
    var canBeTried: Bool
    var isTaken = false
    var refusal: CallError?
  }

  private var offers: [FlowMove.Place: Offer] = [:]
  private var order: [FlowMove.Place] = []

  /// Records that a screen offers an event.
  ///
  /// - Parameters:
  ///   - place: the screen and the event.
  ///   - canBeTried: whether there is a move for it.
  ///   - path: the path to the screen.
  mutating func note(_ place: FlowMove.Place, canBeTried: Bool, at path: [String]) {
    guard offers[place] == nil else {
      if canBeTried { offers[place]?.canBeTried = true }
      return
    }
    offers[place] = Offer(path: path, canBeTried: canBeTried)
    order.append(place)
  }

  /// Records the answer to an attempt.
  mutating func note(_ answer: FlowRun.Answer, to place: FlowMove.Place) {
    guard var offer = offers[place] else { return }
    switch answer {
    case .taken, .refused(.failed): offer.isTaken = true
    case .refused(let error): offer.refusal = offer.refusal ?? error
    case .stuck: break
    }
    offers[place] = offer
  }

  /// Reports the events that were never taken, and those that were.
  func report(to walk: inout FlowWalk) {
    for place in order {
      guard let offer = offers[place] else { continue }
      switch offer.refusal {
      case _ where offer.isTaken:
        walk.taken[place.name] = walk.taken[place.name] ?? offer.path
      case .unknownEvent(let unknown)?:
        walk.note(.nobodyTakes(screen: place.screen, event: unknown.event), at: offer.path)
      case let error?:
        walk.note(.isAlwaysRefused(screen: place.screen, event: place.name, error), at: offer.path)
      case nil where !offer.canBeTried:
        walk.note(.isNeverTried(screen: place.screen, event: place.name), at: offer.path)
      case nil: break
      }
    }
  }
}
