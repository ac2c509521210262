import CoordinatorProvider

@main
struct Main {
  static func main() async { await ProviderDaemon.run(name: "com.example.GreetPeople") { try $0.add { GreetPeople() } } }
}
