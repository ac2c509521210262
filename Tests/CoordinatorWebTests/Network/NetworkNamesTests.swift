import Testing

@testable import CoordinatorWeb

@Suite("The addresses of a machine", .timeLimit(.minutes(5)))
struct NetworkNamesTests {
  @Test("IPv6 addresses that change by themselves, or are not in use, are distinguished from those that stay")
  func fleetingAddressesAreKnown() {
    let table = """
      20010db8000000000000000000000001 02 40 00 00     eth0
      20010db8000000000000000000000002 02 40 00 01     eth0
      20010db8000000000000000000000003 02 40 00 21     eth0
      20010db8000000000000000000000004 02 40 00 80     eth0
      20010db8000000000000000000000005 02 40 00 20     eth0
      20010db8000000000000000000000006 02 40 00 c8     eth0
      nonsense
      00000000000000000000000000000001 01 80 10 80       lo
      """
    let fleeting = NetworkNames.fleetingAddresses(in: table)
    #expect(fleeting == Set([2, 3, 5, 6].compactMap { IPAddress("2001:db8::\($0)") }))
    #expect(NetworkNames.fleetingAddresses(in: "").isEmpty)
  }
}
