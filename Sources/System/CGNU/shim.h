// glibc shows these only where _GNU_SOURCE is defined, which Swift's module of it is not built with.
#include <spawn.h>
#include <stddef.h>

void *memmem(const void *haystack, size_t length, const void *needle, size_t needle_length);

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
#if defined(__linux__)
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
#endif
