// Methods, scores and samplers written in Python, and the promises that they are held against.

#include <nanobind/eigen/dense.h>

#include "bocs/method/options.hpp"
#include "bocs/testing/method.hpp"
#include "own_method.hpp"

namespace bocs::python {
namespace {

/// The result of the call; an exception of Python of this type is one of C++.
template <class Exception, class Call>
auto translated(nb::handle type, const Call& call) {
  try {
    return call();
  } catch (const nb::python_error& error) {
    if (error.matches(type)) throw Exception(nb::str(error.value()).c_str());
    throw;
  }
}

class MethodOfPython final : public Method {
 public:
  explicit MethodOfPython(OwnMethod own) : own_(std::move(own)) {}

  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override {
    Proposal proposal;
    {
      const nb::gil_scoped_acquire lock;
      const auto random =
          nb::cpp_function([task, history, number] { return make_random()->propose(task, history, number).x; });
      const nb::object exhausted = nb::module_::import_("bocs._core").attr("SpaceExhausted");
      proposal.x = translated<SpaceExhausted>(exhausted, [&] {
        return nb::cast<Point>((*own_.call)(task, view(task, Sense::minimize, history), number, random));
      });
    }
    task.space.check(proposal.x);
    task.constraints.check(proposal.x);
    proposal.info.how = own_.name;
    return proposal;
  }

 private:
  OwnMethod own_;
};

Score score_of(const OwnMethod& own) {
  Score score{own.name};
  score.values = [own](const Vector& mean, const Vector& variance, const ScoreContext&) {
    const nb::gil_scoped_acquire lock;
    return nb::cast<Vector>((*own.call)(mean, variance));
  };
  return score;
}

QuadraticSampler sampler_of(const OwnMethod& own) {
  return [own](const Quadratic& form, std::uint64_t seed) {
    const nb::gil_scoped_acquire lock;
    return nb::cast<std::vector<Point>>((*own.call)(form.A, form.b, form.c, seed));
  };
}

testing::MethodFactory factory_of(const OwnMethod& make) {
  return [make](const Space& space, const Constraints& constraints) {
    const Task task{.space = space, .constraints = constraints};
    AnyMethod method;
    {
      const nb::gil_scoped_acquire lock;
      method = translated<InvalidArgument>(PyExc_ValueError, [&] { return nb::cast<AnyMethod>((*make.call)(task)); });
    }
    return make_any_method(method, task);
  };
}

/// What is wrong; empty: the promise is kept.
std::string broken_promise(const std::string& name, const OwnMethod& make) {
  for (const auto& promise : testing::method_promises()) {
    if (promise.name != name) continue;
    try {
      promise.check(factory_of(make));
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  throw InvalidArgument("there is no promise '" + name + "'");
}

}  // namespace

std::shared_ptr<const Method> make_any_method(const AnyMethod& method, const Task& task) {
  if (const auto* spec = std::get_if<std::string>(&method)) return make_method(*spec, task.space, task.constraints);
  const auto& own = std::get<OwnMethod>(method);
  switch (own.role) {
    case OwnMethod::Role::score:
      return make_ei(task.space, {.score = score_of(own)});
    case OwnMethod::Role::sampler: {
      BocsOptions options = bocs_options(method_spec(own.spec));
      options.sampler = sampler_of(own);
      return make_bocs(task.space, options, task.constraints);
    }
    case OwnMethod::Role::method:
      break;
  }
  return std::make_shared<const MethodOfPython>(own);
}

void bind_method(nb::module_& module) {
  nb::enum_<OwnMethod::Role>(module, "Role")
      .value("method", OwnMethod::Role::method)
      .value("score", OwnMethod::Role::score)
      .value("sampler", OwnMethod::Role::sampler);
  nb::class_<OwnMethod>(module, "OwnMethod")
      .def(
          "__init__",
          [](OwnMethod* own, std::string name, nb::object call, OwnMethod::Role role, std::string spec) {
            const auto give_up = [](nb::object* held) {
              const nb::gil_scoped_acquire lock;
              delete held;
            };
            new (own) OwnMethod{std::move(name), {new nb::object(std::move(call)), give_up}, role, std::move(spec)};
          },
          nb::arg("name"), nb::arg("call"), nb::arg("role") = OwnMethod::Role::method, nb::arg("spec") = "")
      .def_ro("name", &OwnMethod::name);
  module.def("method_promises", [] {
    std::vector<std::string> names;
    for (const auto& promise : testing::method_promises()) names.push_back(promise.name);
    return names;
  });
  module.def("broken_promise", &broken_promise, nb::arg("name"), nb::arg("make"), ReleaseGil());
}

}  // namespace bocs::python
