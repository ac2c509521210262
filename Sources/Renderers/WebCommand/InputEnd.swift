import RendererKit

/// The end of the standard input, which ends a server that another program has started for its own lifetime.
enum InputEnd {
  /// Waits for the end, or until the task is cancelled. Input is discarded.
  static func wait() async {
    let reader = LineReader(descriptor: 0)
    reader.request()
    for await line in reader.lines {
      guard case .text = line else { return }
      reader.request()
    }
  }
}
