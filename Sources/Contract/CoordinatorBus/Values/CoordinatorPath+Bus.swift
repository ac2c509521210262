import CoordinatorKit
import DBus

extension CoordinatorPath {
  /// The object path. It always exists, because names contain only characters that are valid in a path element.
  package var objectPath: ObjectPath { (try? ObjectPath(Contract.flowsPath.string + "/" + text)) ?? Contract.flowsPath }

  /// The object path of the tree's router.
  package var routerPath: ObjectPath {
    (try? ObjectPath("\(Contract.flowsPath.string)/\(root)/\(Contract.routerElement)")) ?? Contract.flowsPath
  }

  /// Creates the path of the coordinator or router with an object path; returns nil for the path of any other object.
  package init?(objectPath: ObjectPath) {
    guard objectPath.isBelow(Contract.flowsPath) else { return nil }
    self.init(text: String(Substring(objectPath.string.utf8.dropFirst(Contract.flowsPath.string.utf8.count + 1))))
  }

  /// Whether this is the path of a tree's router, not of a coordinator.
  package var isRouter: Bool { name == Contract.routerElement && depth == 2 }
}
