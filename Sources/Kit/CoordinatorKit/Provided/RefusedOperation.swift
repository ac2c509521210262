/// A tree has refused what a provider has decided. Where a caller waits, this is its answer, as it is if a handler of a
/// built-in flow does not catch the refusal; otherwise it is the provider's trouble, which costs nobody the flow.
struct RefusedOperation: Error {
  let refusal: Refusal

  init(_ refusal: Refusal) { self.refusal = refusal }

  /// What is wrong if no caller waits.
  var trouble: ProviderTrouble { .failed("the provider has decided what cannot be done: \(refusal)") }
}
