// glibc shows memmem only where _GNU_SOURCE is defined, which Swift's module of it is not built with.
#include <stddef.h>

void *memmem(const void *haystack, size_t length, const void *needle, size_t needle_length);
