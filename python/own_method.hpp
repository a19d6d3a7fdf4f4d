#pragma once
// Methods, scores and samplers that are objects of Python.

#include <memory>
#include <variant>

#include "bindings.hpp"

namespace bocs::python {

/// A Python function, and the words by which trials say that it proposed them. Copies share the function; it is called
/// and given up with Python's lock, by whatever thread.
struct OwnMethod {
  enum class Role {
    method,   // call(task, trials, number, random) -> levels
    score,    // call(mean, variance) -> array
    sampler,  // call(A, b, c, seed) -> points, for the draws of `spec`
  };
  std::string name;
  std::shared_ptr<nb::object> call;
  Role role = Role::method;
  std::string spec = {};
};

/// "bocs:order=2", or an object.
using AnyMethod = std::variant<std::string, OwnMethod>;

/// Tells Python's garbage collector what a T keeps in its `own`: methods are often part of a cycle, by way of the
/// variables of the program that defines them.
template <class T>
inline PyType_Slot kOwnSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(+[](PyObject* self, visitproc visit, void* arg) -> int {
       Py_VISIT(Py_TYPE(self));
       if (!nb::inst_ready(self)) return 0;
       if (const auto* own = std::get_if<OwnMethod>(&nb::inst_ptr<T>(self)->own)) Py_VISIT(own->call->ptr());
       return 0;
     })},
    {Py_tp_clear, reinterpret_cast<void*>(+[](PyObject* self) -> int {
       if (auto* own = std::get_if<OwnMethod>(&nb::inst_ptr<T>(self)->own)) *own->call = nb::none();
       return 0;
     })},
    {0, nullptr}};

std::shared_ptr<const Method> make_any_method(const AnyMethod& method, const Task& task);

void bind_method(nb::module_& module);

}  // namespace bocs::python
