// swift-tools-version: 6.0
import PackageDescription

/// Models that inherit need SDK 26, which comes with Swift 6.2. CI takes warnings for errors.
var settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]
if Context.environment["SCHEMAGEN_STRICT"] == "1" {
  settings.append(.unsafeFlags(["-warnings-as-errors"]))
}
#if compiler(>=6.2)
  settings.append(.define("INHERITANCE"))
#endif

let program = Target.executableTarget(
  name: "schemagen-experiments", dependencies: [], swiftSettings: settings)

let package = Package(
  name: "Experiments",
  // The oldest system with #Unique and #Index.
  platforms: [.macOS(.v15)],
  targets: [program],
  swiftLanguageModes: [.v6]
)

// Apple's systems have SwiftData and SQLite: there the package depends on nothing, so that nothing is downloaded.
#if os(Linux)
  package.dependencies.append(.package(name: "schemagen", path: ".."))
  package.targets.append(.systemLibrary(name: "SystemSQLite"))
  program.dependencies += ["SystemSQLite", .product(name: "SwiftData", package: "schemagen")]
#endif
