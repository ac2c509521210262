/// A screen of a served flow with what its work has reported, and without.
package struct LiveScreen: Sendable {
  /// Names the screen in its coordinator.
  package let key: String
  package let content: Screen
  package let plain: Screen
}
