/// Ends flows whose time is up, or whose caller has left.
extension FlowHost {
  /// Ends a flow when its turn comes.
  ///
  /// - Parameters:
  ///   - name: the name of its root.
  ///   - isTimeout: whether its time is up.
  func close(_ name: String, isTimeout: Bool) {
    closings.add(.init(name: name, isTimeout: isTimeout))
    closeNext()
  }

  private func closeNext() {
    while let closing = closings.next() {
      guard let tree = roots.live[closing.name]?.tree else {
        closings.hasEnded()
        continue
      }
      tree.close(isTimeout: closing.isTimeout) { [connection] _ in
        connection.loop.post {
          self.assumeIsolated { host in
            host.closings.hasEnded()
            host.closeNext()
          }
        }
      }
    }
  }
}
