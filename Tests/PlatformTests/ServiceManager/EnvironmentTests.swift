import Platform
import Testing

@Suite("The environment", .timeLimit(.minutes(1)))
struct EnvironmentTests {
  @Test("All variables have the values that each has alone, also if these contain an equals sign")
  func variablesAreThoseOfEach() {
    let variables = Environment.variables
    #expect(variables["PATH"]?.isEmpty == false)
    for (name, value) in variables { #expect(Environment.value(of: name) == value) }
  }
}
