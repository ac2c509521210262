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
    self.init(names: objectPath.elements.dropFirst(Contract.flowsPath.elements.count))
  }
}
