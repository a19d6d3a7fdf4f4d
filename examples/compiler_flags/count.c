// Counts the machine instructions that kernel() executes, by single steps: the same number every time, on a loaded
// machine too. Prints it and the kernel's result.

#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

double kernel(void);

int main(void) {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    volatile double result = kernel();
    raise(SIGSTOP);
    printf("%.9g\n", result);
    return 0;
  }
  int status = 0;
  long count = 0;
  waitpid(child, &status, 0);  // stopped before the kernel
  for (;;) {
    if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0) {
      perror("ptrace");
      return 1;
    }
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) return 1;
    if (WSTOPSIG(status) == SIGSTOP) break;  // stopped after it
    if (WSTOPSIG(status) != SIGTRAP) return 1;
    ++count;
  }
  ptrace(PTRACE_DETACH, child, NULL, NULL);
  waitpid(child, &status, 0);
  printf("%ld\n", count);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}
