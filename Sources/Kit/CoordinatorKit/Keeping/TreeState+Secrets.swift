extension TreeState {
  /// The same state with copies of the kept secrets, which are not wiped when a tree that continues from the other one
  /// ends.
  package var withCopiedSecrets: TreeState {
    var copy = self
    for (path, record) in coordinators where !record.belongings.secrets.isEmpty {
      copy.coordinators[path]?.belongings.secrets = record.belongings.secrets.mapValues { Secret(copying: $0) }
    }
    return copy
  }
}
