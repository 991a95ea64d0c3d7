/// Has a name that the plan's file keeps to itself.
struct Screen {
  var message: String
}
