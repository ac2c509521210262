/// The keeper of a program cannot be reached: it has ended, or was ended.
package struct KeeperGone: Error, CustomStringConvertible {
  package let description: String
}
