import CoordinatorClient
import Languages

extension FlowEnd {
  /// Returns a sentence that says how a flow has ended.
  ///
  /// - Parameter title: title of the flow.
  /// - Returns: the sentence, for users.
  public func sentence(of title: String) -> String {
    let title = title.printable
    return switch self {
    case .finished: Text("{flow} has finished.", ["flow": title]).string
    case .cancelled: Text("{flow} was cancelled.", ["flow": title]).string
    case .stopped: Text("{flow} has ended, because the service was stopped.", ["flow": title]).string
    case .failed(_, _, isTechnical: true): Text("{flow} has failed.", ["flow": title]).string
    case .failed(_, let message, _): Text("{flow} has failed: {reason}", ["flow": title, "reason": message.printable]).string
    case .lost: Text("{flow} is gone; how it ended is no longer known.", ["flow": title]).string
    }
  }
}
