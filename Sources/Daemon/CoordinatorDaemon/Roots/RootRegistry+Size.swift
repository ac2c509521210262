extension RootRegistry {
  /// About how many bytes `GetManagedObjects` answers, and no more than that.
  var roughSize: Int {
    // The manager and its properties; of a coordinator, and of a router, the names and the values of its properties.
    live.values.reduce(1_024) { $0 + ($1.state.coordinators.count + 1) * 256 + $1.state.window.roughSize }
      + held.all.reduce(0) { $0 + ($1.paths.count + 1) * 256 }
  }
}
