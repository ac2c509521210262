import CoordinatorClient
import CoordinatorKit
import RendererKit

extension FlowEnd {
  /// The lines of the result for scripts; if there is no result, lines for users that give the reason.
  package var resultLines: [String] {
    guard case .finished(let result) = self else { return lines }
    return result.sorted { $0.key < $1.key }.map { "\($0.key.printable): \($0.value.plainText)" }
  }
}
