import CoordinatorKit

extension FlowMove {
  /// Returns what is wrong with a flow's answer to the move.
  ///
  /// - Parameters:
  ///   - answer: the answer to the move.
  ///   - canGoBack: whether the top screen offers Back.
  /// - Returns: the fault, or nil if there is none, or if it can only be determined from all answers together.
  func fault(in answer: FlowRun.Answer, canGoBack: Bool) -> FlowProblem.Kind? {
    switch (kind, answer) {
    case (.event, .refused(.unknownEvent(let unknown))): .nobodyTakes(screen: place.screen, event: unknown.event)
    case (.back, .taken): canGoBack ? nil : .backIsTaken(screen: place.screen)
    case (.back, .refused(.refused(.notDismissable))): nil
    case (.back, .refused(.refused)), (.back, .refused(.failed)): canGoBack ? nil : .backIsTaken(screen: place.screen)
    case (.back, .refused(let error)): .backIsRefused(screen: place.screen, error)
    case (.dismiss, .refused(let error)): .cancelIsRefused(screen: place.screen, error)
    case (.workEnds, .refused(.held(_, let reason))): .isHeld(flow: place.flow, reason)
    case (.workEnds, .stuck): .workDoesNotEnd(flow: place.flow)
    default: nil
    }
  }
}
