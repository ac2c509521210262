import CoordinatorKit

/// The readable texts of a screen's parts, for renderers that draw plain text.
extension Screen {
  /// The place in the sequence of steps, the body, the answers under review, and the description of the picture, as text.
  public var readableBody: String {
    guard step != nil || !review.isEmpty || picture != nil else { return body }
    var parts = [step?.readable, body.isEmpty ? nil : body].compactMap(\.self)
    if !review.isEmpty {
      parts.append(review.map { Text("{label}: {text}", ["label": $0.title, "text": $0.value]).string }.joined(separator: "\n"))
    }
    if let picture { parts.append(picture.readable) }
    return parts.joined(separator: "\n\n")
  }
}

extension Step {
  /// The place in words.
  public var readable: String {
    // TRANSLATORS: The place of a screen in a sequence.
    count.map { Text("Step {number} of {count}", ["number": number, "count": $0]).string }
      ?? Text("Step {number}", ["number": number]).string
  }
}

extension Picture {
  /// The description of an image, or the text of a QR code.
  public var readable: String {
    switch self {
    case .image(_, let description): "[\(description)]"
    case .code(let text): text
    }
  }
}

extension Action {
  /// The title, followed by the reason why the action cannot be chosen now, or by its explanation.
  public var readableTitle: String {
    if let disabled { return "\(title) (\(disabled))" }
    return summary.map { Text("{label}: {text}", ["label": title, "text": $0]).string } ?? title
  }

  /// The reason why the action cannot be chosen now, or its explanation; nil for neither.
  public var note: String? { disabled ?? summary }
}

extension Item {
  /// The second line, with the reason why the row cannot be chosen now.
  public var readableSubtitle: String? {
    guard let disabled else { return subtitle }
    return subtitle.map { "\($0) (\(disabled))" } ?? "(\(disabled))"
  }
}
