import CoordinatorClient

/// A drawing of the outcome of a flow. It adds nothing to the heading.
struct EndSign: Sendable {
  let end: FlowEnd

  /// The markup.
  var html: HTML {
    tag("svg", .class("sign \(end.name)"), Attribute("viewBox", "0 0 64 64"), Attribute("aria-hidden", "true")) {
      tag("circle", Attribute("cx", "32"), Attribute("cy", "32"), Attribute("r", "28"))
      tag("path", Attribute("d", path))
    }
  }

  private var path: String {
    switch end {
    case .finished: "M20 33 28.5 41.5 45 24"
    case .cancelled, .stopped: "M24 24 40 40M40 24 24 40"
    case .failed: "M32 19v17M32 44.5v.1"
    case .lost: "M22 32h20"
    }
  }
}
