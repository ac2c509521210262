extension RootRegistry {
  /// A rough estimate of the size of the reply to `GetManagedObjects`, in bytes.
  var roughSize: Int {
    // 1,024 bytes for the manager and its properties; 256 for the property names and values of each coordinator and
    // each router.
    live.values.reduce(1_024) { $0 + ($1.state.coordinators.count + 1) * 256 + $1.state.window.roughSize }
      + held.all.reduce(0) { $0 + ($1.paths.count + 1) * 256 }
  }
}
