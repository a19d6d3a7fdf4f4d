#include "bocs/problem/aerostruct/enumeration.hpp"

#include <Eigen/LU>

#include "bocs/numeric/parallel.hpp"
#include "bocs/problem/aerostruct/divergence.hpp"

namespace bocs::aerostruct {
namespace {

// For fixed live deflections X_d the model is linear in the 14 load vectors l_b (3 forces, then moments: coupling b):
//   outputs = q inputs + P l,   l = h inputs + G l,   G = A X_d S,  h = A X_d S_z + A_z,
//   P = [C_d X_d S; g_d S],  q = [C_d X_d S_z + C_z; g_d S_z + g_z].
// A tableau [q P; h G] with the last load vector settled is a smaller tableau: cut it, and its row and column go; keep
// it, and it is eliminated. The 2^14 Jacobians are the leaves of that binary tree, and nearly all of its nodes are
// small.
template <int Blocks>
using Tableau = Eigen::Matrix<double, kOutputs + 3 * Blocks, kInputs + 3 * Blocks>;

constexpr int kLoadBlocks = kDeflection;

Tableau<kLoadBlocks> make_tableau(const Partials& p, int live_deflections) {
  std::vector<int> order;  // degrees of freedom by coupling: all forces, then all moments
  for (const int component : {0, 3}) {
    for (int j = 0; j < kPanels; ++j) {
      for (int i = 0; i < 3; ++i) order.push_back(6 * j + component + i);
    }
  }
  Matrix seen = Matrix::Zero(kFree, kFree);  // X_d
  for (int i = 0; i < kFree; ++i) seen(i, i) = live_deflections >> (i / 6) & 1;

  const Matrix cruise = p.cruise_by_displacement * seen;
  const Matrix loads = p.loads_by_displacement(order, Eigen::all) * seen;
  Matrix displacement(kFree, kInputs + kFree);  // by inputs and loads
  displacement << p.displacement_by_inputs, p.displacement_by_loads(Eigen::all, order);

  Tableau<kLoadBlocks> tableau;
  tableau << cruise * displacement, p.failure_by_displacement * displacement, loads * displacement;
  tableau.leftCols<kInputs>().topRows<2>() += p.cruise_by_inputs;
  tableau.leftCols<kInputs>().row(kFailure) += p.failure_by_inputs;
  tableau.leftCols<kInputs>().bottomRows<kFree>() += p.loads_by_inputs(order, Eigen::all);
  return tableau;
}

/// Writes the divergences of all choices of the first `Blocks` load vectors to table[0 ... 2^Blocks - 1].
template <int Blocks>
void descend(const Tableau<Blocks>& tableau, const Jacobian& reference, double* table) {
  if constexpr (Blocks == 0) {
    *table = divergence(reference, tableau);
  } else {
    constexpr int rows = kOutputs + 3 * (Blocks - 1), columns = kInputs + 3 * (Blocks - 1);
    Tableau<Blocks - 1> smaller = tableau.template topLeftCorner<rows, columns>();
    descend<Blocks - 1>(smaller, reference, table);

    const Eigen::Matrix3d loop = Eigen::Matrix3d::Identity() - tableau.template bottomRightCorner<3, 3>();
    const Eigen::Matrix<double, 3, columns> live = loop.inverse() * tableau.template bottomLeftCorner<3, columns>();
    smaller.noalias() += tableau.template topRightCorner<rows, 3>().lazyProduct(live);
    descend<Blocks - 1>(smaller, reference, table + (std::ptrdiff_t{1} << (Blocks - 1)));
  }
}

}  // namespace

std::vector<double> all_divergences(const Partials& partials, int threads) {
  const Jacobian reference = jacobian(partials, Point(kCouplings, 1));
  std::vector<double> table(std::size_t{1} << kCouplings);
  parallel_for(1 << (kCouplings - kLoadBlocks), threads, [&](int live_deflections) {
    descend<kLoadBlocks>(make_tableau(partials, live_deflections), reference,
                         table.data() + (static_cast<std::ptrdiff_t>(live_deflections) << kLoadBlocks));
  });
  return table;
}

}  // namespace bocs::aerostruct
