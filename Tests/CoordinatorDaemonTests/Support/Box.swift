/// Holds a value that a test changes inside of `#expect`, which takes no mutating calls on variables.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
