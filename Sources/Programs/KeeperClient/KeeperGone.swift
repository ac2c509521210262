/// The error for a keeper that cannot be reached, because it has ended or was ended.
package struct KeeperGone: Error, CustomStringConvertible {
  package let description: String
}
