// What a database holds as JSON: the first byte says which kind of it.

#include "bocs/store/json.hpp"
#include "bocs/study/point_json.hpp"
#include "bocs/study/spec_json.hpp"
#include "fuzz.hpp"

using namespace bocs;

FUZZ(text) {
  if (text.empty()) return;
  const std::string json = text.substr(1);
  switch (text[0] % 6) {
    case 0: {
      const Point x = point_from_json(json);
      fuzz::must(point_from_json(point_to_json(x)) == x);
      break;
    }
    case 1: {
      const std::string once = info_to_json(info_from_json(json));
      fuzz::must(info_to_json(info_from_json(once)) == once);
      break;
    }
    case 2: {
      const std::string once = metrics_to_json(metrics_from_json(json));
      fuzz::must(metrics_to_json(metrics_from_json(once)) == once);
      break;
    }
    case 3: {
      const std::string once = trial_to_json(trial_from_json(json));
      fuzz::must(trial_to_json(trial_from_json(once)) == once);
      break;
    }
    case 4: {
      const StudySpec spec = spec_from_json(json);
      spec.check();
      const std::string once = spec_to_json(spec);
      fuzz::must(spec_to_json(spec_from_json(once)) == once);
      break;
    }
    default: {
      static const Space space({binary("a"), integer("crew", -2, 9), categorical("depot", {"north", "r\"iver"})});
      const Point x = point_from_named_json(space, json);
      space.check(x);
      fuzz::must(point_from_named_json(space, named_point_json(space, x)) == x);
    }
  }
}
