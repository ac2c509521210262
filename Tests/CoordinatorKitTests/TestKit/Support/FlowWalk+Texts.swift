import CoordinatorTestKit

extension FlowWalk {
  /// Returns the descriptions of the walk's problems.
  func texts(screens: Set<String>, leavingToParent: Set<String> = []) -> [String] {
    problems(screens: screens, leavingToParent: leavingToParent).map(\.description)
  }
}
