import CoordinatorProvider

@main
struct CoffeeProvider {
  static func main() async { await ProviderDaemon.run(name: "com.example.Coffee") { try $0.add { Coffee() } } }
}
