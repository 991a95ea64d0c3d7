extension Experiment {
  /// All of them, in the order of the report.
  static var all: [Experiment] {
    attributes + values + fields + types + renames + models + relationships + storage + plans
      + liveClasses + exceptions + closures + kills + hashes + coreDataModels + layout + refused
      + undecided
  }
}
