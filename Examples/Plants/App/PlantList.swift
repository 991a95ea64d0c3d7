import SwiftData
import SwiftUI

struct PlantList: View {
  @Query(sort: \Plant.name) private var plants: [Plant]

  var body: some View {
    List(plants) { plant in
      VStack(alignment: .leading) {
        Text(plant.name)
        Text(plant.pot).font(.footnote)
        if plant.isThirsty {
          Text("Needs water")
        }
      }
    }
  }
}
