/* A library for LD_PRELOAD that lets one call of a process fail.
 *
 * FAULT_CLASSES  which calls are counted: the sum of the classes below
 * FAULT_CALL     the call that fails, counted from 1; 0: none
 * FAULT_LASTS    1: all later ones fail, too
 * FAULT_ERROR    errno of the failure
 * FAULT_COUNT    a file that gets the number of counted calls when the process ends
 *
 * What is not failed goes to the system as it is. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, READ = 2, WRITE = 4, NAME = 8, SYNC = 16, LOOK = 32, CLOSE = 64, MAP = 128, THREAD = 256, MEMORY = 512, LOCK = 1024 };

static unsigned classes;
static long chosen, lasts, error;
static _Atomic long calls;
static int ready;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

__attribute__((constructor)) static void begin(void) {
    classes = number("FAULT_CLASSES");
    chosen = number("FAULT_CALL");
    lasts = number("FAULT_LASTS");
    error = number("FAULT_ERROR");
    ready = 1;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    char text[32];
    int at = sizeof text;
    long left = calls;
    ready = 0;
    if (!path) return;
    int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    do text[--at] = '0' + left % 10;
    while ((left /= 10) > 0);
    syscall(SYS_write, file, text + at, sizeof text - at);
    syscall(SYS_close, file);
}

static int fails(unsigned of) {
    if (!ready || !(classes & of)) return 0;
    long call = ++calls;
    if (!chosen || call < chosen || (call > chosen && !lasts)) return 0;
    errno = error;
    return 1;
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static int opened(int at, const char *path, int flags, mode_t mode) {
    if (fails(OPEN)) return -1;
    return syscall(SYS_openat, at, path, flags, mode);
}

static mode_t mode_of(int flags, va_list rest) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

#define OPENS(name)                                        \
    int name(const char *path, int flags, ...) {           \
        va_list rest;                                      \
        va_start(rest, flags);                             \
        mode_t mode = mode_of(flags, rest);                \
        va_end(rest);                                      \
        return opened(AT_FDCWD, path, flags, mode);        \
    }
#define OPENS_AT(name)                                     \
    int name(int at, const char *path, int flags, ...) {   \
        va_list rest;                                      \
        va_start(rest, flags);                             \
        mode_t mode = mode_of(flags, rest);                \
        va_end(rest);                                      \
        return opened(at, path, flags, mode);              \
    }
OPENS(open) OPENS(open64) OPENS_AT(openat) OPENS_AT(openat64)

ssize_t read(int file, void *to, size_t size) { return fails(READ) ? -1 : syscall(SYS_read, file, to, size); }
ssize_t pread64(int file, void *to, size_t size, off64_t at) { return fails(READ) ? -1 : syscall(SYS_pread64, file, to, size, at); }
ssize_t pread(int file, void *to, size_t size, off_t at) { return pread64(file, to, size, at); }
ssize_t readv(int file, const struct iovec *to, int count) { return fails(READ) ? -1 : syscall(SYS_readv, file, to, count); }
ssize_t write(int file, const void *from, size_t size) { return fails(WRITE) ? -1 : syscall(SYS_write, file, from, size); }
ssize_t pwrite64(int file, const void *from, size_t size, off64_t at) { return fails(WRITE) ? -1 : syscall(SYS_pwrite64, file, from, size, at); }
ssize_t pwrite(int file, const void *from, size_t size, off_t at) { return pwrite64(file, from, size, at); }
ssize_t writev(int file, const struct iovec *from, int count) { return fails(WRITE) ? -1 : syscall(SYS_writev, file, from, count); }
int ftruncate64(int file, off64_t size) { return fails(WRITE) ? -1 : syscall(SYS_ftruncate, file, size); }
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }
off64_t lseek64(int file, off64_t at, int from) { return fails(LOOK) ? -1 : syscall(SYS_lseek, file, at, from); }
off_t lseek(int file, off_t at, int from) { return lseek64(file, at, from); }

int fsync(int file) { return fails(SYNC) ? -1 : syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails(SYNC) ? -1 : syscall(SYS_fdatasync, file); }
int flock(int file, int how) { return fails(LOCK) ? -1 : syscall(SYS_flock, file, how); }
/* The file is closed, whatever the system says. */
int close(int file) {
    int failed = fails(CLOSE), result = syscall(SYS_close, file);
    if (!failed) return result;
    errno = error;
    return -1;
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) { return fails(NAME) ? -1 : syscall(SYS_renameat2, from, old, to, new, flags); }
int renameat(int from, const char *old, int to, const char *new) { return renameat2(from, old, to, new, 0); }
int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }
int linkat(int from, const char *old, int to, const char *new, int flags) { return fails(NAME) ? -1 : syscall(SYS_linkat, from, old, to, new, flags); }
int unlinkat(int at, const char *path, int flags) { return fails(NAME) ? -1 : syscall(SYS_unlinkat, at, path, flags); }
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int mkdirat(int at, const char *path, mode_t mode) { return fails(NAME) ? -1 : syscall(SYS_mkdirat, at, path, mode); }
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int statx(int at, const char *path, int flags, unsigned mask, struct statx *to) { return fails(LOOK) ? -1 : syscall(SYS_statx, at, path, flags, mask, to); }
#define LOOKS(name, parameters, ...)                       \
    int name parameters {                                  \
        static int(*real) parameters;                      \
        if (!real) real = next(#name);                     \
        return fails(LOOK) ? -1 : real(__VA_ARGS__);       \
    }
LOOKS(fstat64, (int file, struct stat64 *to), file, to)
LOOKS(stat64, (const char *path, struct stat64 *to), path, to)
LOOKS(lstat64, (const char *path, struct stat64 *to), path, to)
LOOKS(fstatat64, (int at, const char *path, struct stat64 *to, int flags), at, path, to, flags)
LOOKS(fstat, (int file, struct stat *to), file, to)
LOOKS(fstatat, (int at, const char *path, struct stat *to, int flags), at, path, to, flags)

DIR *opendir(const char *path) {
    static DIR *(*real)(const char *);
    if (!real) real = next("opendir");
    return fails(OPEN) ? NULL : real(path);
}
struct dirent64 *readdir64(DIR *of) {
    static struct dirent64 *(*real)(DIR *);
    if (!real) real = next("readdir64");
    return fails(LOOK) ? NULL : real(of);
}

void *mmap64(void *at, size_t size, int rights, int flags, int file, off64_t from) {
    if (fails(MAP)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, rights, flags, file, from);
}
void *mmap(void *at, size_t size, int rights, int flags, int file, off_t from) { return mmap64(at, size, rights, flags, file, from); }

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) real = next("pthread_create");
    return fails(THREAD) ? (int)error : real(thread, how, run, with);
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void *malloc(size_t size) { return fails(MEMORY) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(MEMORY) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails(MEMORY) ? NULL : __libc_realloc(old, size); }
int posix_memalign(void **to, size_t align, size_t size) {
    if (fails(MEMORY)) return ENOMEM;
    *to = __libc_memalign(align, size);
    return *to ? 0 : ENOMEM;
}
