import SwiftData

/// The plan that counts is the one that the container is made with.
func makeContainer() throws -> ModelContainer {
  try ModelContainer(for: Schema(versionedSchema: DishesV2.self), migrationPlan: DishesPlan.self)
}
