/// The part of a form that says what may be filled in.
public struct Form: Sendable, Hashable {}
