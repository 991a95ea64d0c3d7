// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Trips",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: [.library(name: "TripModels", targets: ["TripModels"])],
  dependencies: [
    // An app outside this repository writes: .package(url: "https://github.com/OWNER/schemagen", from: "0.1.0")
    .package(name: "schemagen", path: "../..")
  ],
  targets: [
    .target(
      name: "TripModels",
      dependencies: [
        // SwiftData itself on Apple's systems; on Linux the one that schemagen brings.
        .product(name: "SwiftData", package: "schemagen", condition: .when(platforms: [.linux]))
      ]),
    .testTarget(name: "TripModelsTests", dependencies: ["TripModels"]),
  ],
  swiftLanguageModes: [.v6]
)
