/// What a form holds before it is saved: no model.
final class Draft {
  var text = ""
}
