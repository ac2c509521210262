import Forms

/// What a process writes of an answer, whose only way to return something is its output and its status.
package enum OutputStyle: String, Sendable, Hashable {
  /// Nothing; the status is 1 if the event is `no`.
  case status
  /// The event of a menu or a message; the rows of a list, one a line; the only value of a form.
  case value
  /// `name='value'` for each field, for `eval`.
  case assignments
  /// The whole answer.
  case json
}

/// What has to be known of a form to write its answer.
package struct FormShape: Sendable, Hashable {
  /// The fields that are not secret, in the order of the screen.
  package var fields: [String]
  /// The action that takes the values.
  package var submission: String
  /// Whether another action could have been chosen.
  package var hasActions: Bool

  /// Creates a shape.
  package init(fields: [String], submission: String, hasActions: Bool) {
    (self.fields, self.submission, self.hasActions) = (fields, submission, hasActions)
  }
}
