// The program whose compilation is optimized: a few steps of a heat equation, a small sort, a checksum.

enum { kSize = 14, kSteps = 4 };
static double field[kSize][kSize], next[kSize][kSize];
static int keys[32];

static double neighbours(int i, int j) {
  return field[i - 1][j] + field[i + 1][j] + field[i][j - 1] + field[i][j + 1];
}

static int compare(int a, int b) { return a < b ? -1 : a > b; }

static void sort(int* values, int count) {
  for (int i = 1; i < count; ++i) {
    int value = values[i], at = i;
    for (; at > 0 && compare(value, values[at - 1]) < 0; --at) values[at] = values[at - 1];
    values[at] = value;
  }
}

double kernel(void) {
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) field[i][j] = (i * 7 + j * 3) % 11;
  }
  for (int step = 0; step < kSteps; ++step) {
    for (int i = 1; i + 1 < kSize; ++i) {
      for (int j = 1; j + 1 < kSize; ++j) next[i][j] = 0.5 * field[i][j] + 0.125 * neighbours(i, j);
    }
    for (int i = 1; i + 1 < kSize; ++i) {
      for (int j = 1; j + 1 < kSize; ++j) field[i][j] = next[i][j];
    }
  }
  for (int k = 0; k < 32; ++k) keys[k] = (k * 19) % 32;
  sort(keys, 32);
  double sum = 0;
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) sum += field[i][j] * keys[(i + j) % 32];
  }
  return sum;
}
