import CoordinatorKit

extension FlowMove {
  /// What is wrong with how a flow answered the move; nil if nothing is.
  ///
  /// - Parameters:
  ///   - answer: what it was answered with.
  ///   - canGoBack: whether the top screen says that it can be left by Back.
  /// - Returns: the fault, unless it shows only when all answers are known.
  func fault(in answer: FlowRun.Answer, canGoBack: Bool) -> FlowProblem.Kind? {
    switch (kind, answer) {
    case (.event, .refused(.unknownEvent(let unknown))): .nobodyTakes(screen: place.screen, event: unknown.event)
    case (.back, .taken): canGoBack ? nil : .backIsTaken(screen: place.screen)
    case (.back, .refused(.refused(.notDismissable))): nil
    case (.back, .refused(.refused)), (.back, .refused(.failed)): canGoBack ? nil : .backIsTaken(screen: place.screen)
    case (.back, .refused(let error)): .backIsRefused(screen: place.screen, error)
    case (.dismiss, .refused(let error)): .dismissIsRefused(screen: place.screen, error)
    case (.workEnds, .stuck): .workDoesNotEnd(flow: place.flow)
    default: nil
    }
  }
}
