/// Returns `inner`, wrapped `count` times.
func nested<T>(_ count: Int, in inner: T, _ wrap: (T) -> T) -> T {
  (0..<count).reduce(inner) { value, _ in wrap(value) }
}
