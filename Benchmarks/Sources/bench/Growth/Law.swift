/// A linear cost: a fixed part, and a part for each element.
struct Law: Sendable, Hashable {
  /// The cost without elements.
  var fixed: Double
  /// The cost of each element.
  var each: Double

  /// Finds the law that fits the points best. Deviations are weighted by percentage, so that small and large points count the
  /// same. Neither part is negative.
  ///
  /// - Parameter points: the numbers, and their costs, which are positive.
  init(of points: [(x: Double, y: Double)]) {
    // Least squares of (fixed + each · x - y) / y.
    let ones = points.map { 1 / $0.y }
    let slopes = points.map { $0.x / $0.y }
    func dot(_ left: [Double], _ right: [Double]) -> Double { zip(left, right).map(*).reduce(0, +) }
    let unit = points.map { _ in 1.0 }
    let (a, b, d, e, f) = (dot(ones, ones), dot(ones, slopes), dot(slopes, slopes), dot(ones, unit), dot(slopes, unit))
    let determinant = a * d - b * b
    let both = (fixed: (e * d - b * f) / determinant, each: (a * f - b * e) / determinant)
    if determinant > 1e-12 * a * d, both.fixed >= 0, both.each >= 0 {
      (fixed, each) = both
    } else {
      let candidates = [(fixed: a > 0 ? e / a : 0, each: 0.0), (fixed: 0.0, each: d > 0 ? f / d : 0)]
      func error(_ law: (fixed: Double, each: Double)) -> Double {
        zip(ones, slopes).map { law.fixed * $0 + law.each * $1 - 1 }.map { $0 * $0 }.reduce(0, +)
      }
      (fixed, each) = error(candidates[0]) <= error(candidates[1]) ? candidates[0] : candidates[1]
    }
  }

  /// Returns the cost of a number of elements.
  func cost(of count: Double) -> Double { fixed + each * count }

  /// Returns the largest relative deviation of a point from the law.
  func deviation(of points: [(x: Double, y: Double)]) -> Double {
    points.map { abs(cost(of: $0.x) - $0.y) / $0.y }.max() ?? 0
  }
}
