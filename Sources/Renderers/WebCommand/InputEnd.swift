import RendererKit

/// The end of the standard input, with which a server ends that another program has started for its own time.
enum InputEnd {
  /// Waits for the end, or until the task is cancelled. What is read is dropped.
  static func wait() async {
    let reader = LineReader(descriptor: 0)
    reader.request()
    for await line in reader.lines {
      guard case .text = line else { return }
      reader.request()
    }
  }
}
