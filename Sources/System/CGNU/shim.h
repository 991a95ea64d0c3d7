// glibc declares these only if _GNU_SOURCE is defined, and Swift's Glibc module is built without it.
#include <spawn.h>
#include <stddef.h>

void *memmem(const void *haystack, size_t length, const void *needle, size_t needle_length);

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
#if defined(__linux__)
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
#endif
