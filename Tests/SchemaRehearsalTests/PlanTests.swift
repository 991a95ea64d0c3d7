import Foundation
import RehearsalModel
import SchemaEvolution
import SchemaRehearsal
import TestSupport
import Testing

@Suite struct PlanTests {
  @Test(arguments: Checkout.references) func show(_ folder: String) throws {
    let plan = try RehearsalPlanner(Histories.evolution(folder)).plan()
    let name = folder.split(separator: "/").last!
    try RehearsalJSON.encode(plan, isPretty: true).write(
      to: URL(filePath: "/tmp/wt/plan-\(name).json"))
  }
}
