/// How a cost follows a number: as a part that is always there, and a part for each.
struct Law: Sendable, Hashable {
  /// The cost of none.
  var fixed: Double
  /// What each adds.
  var each: Double

  /// Finds the law that comes closest to what was measured, in proportion: points that are off by as many percent count
  /// as much, whether they are large or small. Neither part is negative.
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

  /// The cost of so many.
  func cost(of count: Double) -> Double { fixed + each * count }

  /// By what part of itself the point that is furthest off differs from the law.
  func deviation(of points: [(x: Double, y: Double)]) -> Double {
    points.map { abs(cost(of: $0.x) - $0.y) / $0.y }.max() ?? 0
  }
}
