// swift-tools-version: 6.1
import PackageDescription

// SwiftData is Apple's alone, and generated files are not wrapped in `#if canImport(SwiftData)`:
// where it is missing, the target goes without them. An app for Apple's systems needs none of this.
#if os(Linux)
  let excluded = ["Generated", "Migrations"]
#else
  let excluded: [String] = []
#endif

let package = Package(
  name: "Trips",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: [.library(name: "TripModels", targets: ["TripModels"])],
  dependencies: [
    // An app outside this repository writes: .package(url: "https://…/schemagen", from: "0.1.0")
    .package(name: "schemagen", path: "../..")
  ],
  targets: [
    .target(name: "TripModels", exclude: excluded)
  ],
  swiftLanguageModes: [.v6]
)
