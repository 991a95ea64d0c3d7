// Stands between a program and the system: writes down every call that changes files below a folder, with what was
// written, and kills the program at one of them or lets that one fail. For LD_PRELOAD, on Linux.
//
//   SHIM_ROOT   the folder; calls elsewhere are none of its business, and neither are SQLite's "-shm" files
//   SHIM_LOG    where the calls are written down
//   SHIM_AT     the number of a call, counted from 1
//   SHIM_DO     what happens there: kill, half (a write of half the bytes, then kill), short (half the bytes), or the
//               number of an error; with a "+" at its end also at every later call
//   SHIM_LOOK   set: calls that only open and read are counted, instead of those that change something
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct record {
  uint32_t call, length;
  int32_t file;
  uint32_t path, other;
  int64_t offset, modified;
} __attribute__((packed));

enum { FILES = 4096 };
static const char *root, *action;
static size_t root_length;
static int log_file = -1, looks, goes_on;
static long at = -1, count;
static char watched[FILES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  root = getenv("SHIM_ROOT");
  if (!root) return;
  root_length = strlen(root);
  const char *path = getenv("SHIM_LOG"), *number = getenv("SHIM_AT");
  if (path) log_file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  if (number) at = atol(number);
  action = getenv("SHIM_DO");
  looks = getenv("SHIM_LOOK") != NULL;
  goes_on = action && strchr(action, '+');
}

static int is_watched(const char *path) {
  if (!root || !path || strncmp(path, root, root_length) || (path[root_length] != '/' && path[root_length])) return 0;
  size_t length = strlen(path);
  return length < 4 || strcmp(path + length - 4, "-shm");
}

static int is_open(int file) { return file >= 0 && file < FILES && watched[file]; }

// Whether the call is to be made at all; if it is not, errno says why. `share` is how much of a write may be made.
static int permits(int is_look, size_t *share) {
  if (is_look != looks) return 1;
  count += 1;
  if (!action || (count != at && !(goes_on && count > at && at > 0))) return 1;
  if (*action == 'k' || (*action == 'h' && !share)) raise(SIGKILL);
  if (*action == 'h' || *action == 's') {
    if (share) *share = (*share + 1) / 2;
    return 1;
  }
  errno = atoi(action);
  return 0;
}

static void note(char call, int file, int64_t offset, const char *path, const char *other, const void *bytes,
                 size_t length) {
  int kept = errno;
  struct stat found;
  struct record record = {call, length, file, path ? strlen(path) : 0, other ? strlen(other) : 0, offset, 0};
  if (file >= 0 && !fstat(file, &found)) record.modified = found.st_mtim.tv_sec * 1000000000LL + found.st_mtim.tv_nsec;
  if (log_file >= 0) {
    syscall(SYS_write, log_file, &record, sizeof record);
    if (path) syscall(SYS_write, log_file, path, record.path);
    if (other) syscall(SYS_write, log_file, other, record.other);
    if (bytes) syscall(SYS_write, log_file, bytes, length);
  }
  errno = kept;
}

// No thread is stopped between a call and its note.
__attribute__((destructor)) static void end(void) { pthread_mutex_lock(&mutex); }

#define REAL(name, type, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  if (!is_watched(path)) {
    int file = real(path, flags, mode);
    if (file >= 0 && file < FILES) watched[file] = 0;
    return file;
  }
  LOCK;
  struct stat found;
  int changes = (flags & O_TRUNC) || ((flags & O_CREAT) && lstat(path, &found));
  int file = permits(!changes, NULL) ? real(path, flags, mode) : -1;
  if (file >= 0 && file < FILES) {
    watched[file] = 1;
    note(changes ? (flags & O_TRUNC ? 'O' : 'o') : 'r', file, 0, path, NULL, NULL, 0);
  }
  UNLOCK;
  return file;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(#name, int, const char *, int, ...); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return opened(real, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

static ssize_t wrote(int file, const void *bytes, size_t length, off_t offset, int is_placed,
                     ssize_t (*write_)(int, const void *, size_t),
                     ssize_t (*pwrite_)(int, const void *, size_t, off_t)) {
  if (!is_open(file)) return is_placed ? pwrite_(file, bytes, length, offset) : write_(file, bytes, length);
  LOCK;
  size_t share = length;
  ssize_t done = -1;
  if (permits(0, &share)) {
    if (!is_placed) offset = lseek(file, 0, SEEK_CUR);
    done = is_placed ? pwrite_(file, bytes, share, offset) : write_(file, bytes, share);
    if (done > 0) note('w', file, offset, NULL, NULL, bytes, done);
    if (share < length && *action == 'h') raise(SIGKILL);
  }
  UNLOCK;
  return done;
}

ssize_t write(int file, const void *bytes, size_t length) {
  REAL("write", ssize_t, int, const void *, size_t);
  return wrote(file, bytes, length, 0, 0, real, NULL);
}
#define PWRITE(name) \
  ssize_t name(int file, const void *bytes, size_t length, off_t offset) { \
    REAL(#name, ssize_t, int, const void *, size_t, off_t); \
    return wrote(file, bytes, length, offset, 1, NULL, real); \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t read(int file, void *bytes, size_t length) {
  REAL("read", ssize_t, int, void *, size_t);
  return is_open(file) && !permits(1, NULL) ? -1 : real(file, bytes, length);
}
#define PREAD(name) \
  ssize_t name(int file, void *bytes, size_t length, off_t offset) { \
    REAL(#name, ssize_t, int, void *, size_t, off_t); \
    return is_open(file) && !permits(1, NULL) ? -1 : real(file, bytes, length, offset); \
  }
PREAD(pread)
PREAD(pread64)

// A call on an open file.
#define ON_FILE(name, letter, value, declared, ...) \
  int name declared { \
    REAL(#name, int, __VA_ARGS__); \
    if (!is_open(file)) return real value; \
    LOCK; \
    int result = permits(0, NULL) ? real value : -1; \
    if (!result) note(letter, file, length, NULL, NULL, NULL, 0); \
    UNLOCK; \
    return result; \
  }
static const off_t length = 0;
ON_FILE(fsync, 's', (file), (int file), int)
ON_FILE(fdatasync, 's', (file), (int file), int)
ON_FILE(ftruncate, 't', (file, length), (int file, off_t length), int, off_t)
ON_FILE(ftruncate64, 't', (file, length), (int file, off_t length), int, off_t)

// A call on names.
#define ON_PATH(name, letter, value, declared, ...) \
  int name declared { \
    REAL(#name, int, __VA_ARGS__); \
    if (!is_watched(path)) return real value; \
    LOCK; \
    int result = permits(0, NULL) ? real value : -1; \
    if (!result) note(letter, -1, 0, path, other, NULL, 0); \
    UNLOCK; \
    return result; \
  }
static const char *const other = NULL;
ON_PATH(unlink, 'u', (path), (const char *path), const char *)
ON_PATH(rmdir, 'd', (path), (const char *path), const char *)
ON_PATH(mkdir, 'm', (path, mode), (const char *path, mode_t mode), const char *, mode_t)
ON_PATH(rename, 'n', (path, other), (const char *path, const char *other), const char *, const char *)
ON_PATH(link, 'l', (path, other), (const char *path, const char *other), const char *, const char *)

int close(int file) {
  REAL("close", int, int);
  if (file >= 0 && file < FILES) watched[file] = 0;
  return real(file);
}
