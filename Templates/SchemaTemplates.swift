/// The built-in templates, embedded in the binary so that it can be moved anywhere.
package enum SchemaTemplates {
  /// The template files' bytes by name, without `.mustache`.
  package static var sources: [String: [UInt8]] {
    [
      "ActiveSchema": PackageResources.ActiveSchema_mustache,
      "CloudMapper": PackageResources.CloudMapper_mustache,
      "CloudSupport": PackageResources.CloudSupport_mustache,
      "Conversion": PackageResources.Conversion_mustache,
      "CoreDataStep": PackageResources.CoreDataStep_mustache,
      "DebugReport": PackageResources.DebugReport_mustache,
      "Entities": PackageResources.Entities_mustache,
      "Fixtures": PackageResources.Fixtures_mustache,
      "JSONImport": PackageResources.JSONImport_mustache,
      "MigrationLog": PackageResources.MigrationLog_mustache,
      "MigrationPlan": PackageResources.MigrationPlan_mustache,
      "MigrationProgressView": PackageResources.MigrationProgressView_mustache,
      "MigrationRows": PackageResources.MigrationRows_mustache,
      "MigrationSupport": PackageResources.MigrationSupport_mustache,
      "MigrationTests": PackageResources.MigrationTests_mustache,
      "PlanDescription": PackageResources.PlanDescription_mustache,
      "Schema": PackageResources.Schema_mustache,
      "UserMigration": PackageResources.UserMigration_mustache,
      "ValueTypes": PackageResources.ValueTypes_mustache,
    ]
  }
}
