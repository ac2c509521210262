import CoordinatorBus
import CoordinatorKit
import DBus

extension CoordinatorPath {
  /// The object path; the names hold only what a path element may, so there always is one.
  var objectPath: ObjectPath { (try? ObjectPath(Contract.flowsPath.string + "/" + text)) ?? Contract.flowsPath }

  /// The path of the router of its tree.
  var routerPath: ObjectPath {
    (try? ObjectPath("\(Contract.flowsPath.string)/\(root)/\(Contract.routerElement)")) ?? Contract.flowsPath
  }

  /// The coordinator that an object path names; nil for any other object's.
  init?(objectPath: ObjectPath) {
    guard objectPath.isBelow(Contract.flowsPath) else { return nil }
    self.init(text: String(Substring(objectPath.string.utf8.dropFirst(Contract.flowsPath.string.utf8.count + 1))))
  }

  /// Whether it is no coordinator's, but that of a tree's router.
  var isRouter: Bool { name == Contract.routerElement && depth == 2 }
}
