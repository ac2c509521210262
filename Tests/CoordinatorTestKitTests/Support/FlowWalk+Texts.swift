import CoordinatorTestKit

extension FlowWalk {
  /// The problems as people read them.
  func texts(screens: Set<String>, leavingToParent: Set<String> = []) -> [String] {
    problems(screens: screens, leavingToParent: leavingToParent).map(\.description)
  }
}
