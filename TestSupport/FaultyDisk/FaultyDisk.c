#include "FaultyDisk.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct plan {
  int used;
  char prefix[512];
  enum faulty_disk_operation operation;
  int skip;
  int times;
  int code;
  int number;
  int faults;
};

/* A file that forwards to a file of the default VFS. */
struct file {
  sqlite3_file base;
  const char *path;
  sqlite3_file *real;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct plan plans[64];
static sqlite3_vfs vfs;
static sqlite3_vfs *usual;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Returns the SQLite code to fail with; 0 to proceed. */
static int fault(const struct file *file, enum faulty_disk_operation operation) {
  int code = 0, number = 0;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
    struct plan *plan = &plans[i];
    if (!plan->used || plan->operation != operation || !file->path) continue;
    if (strncmp(file->path, plan->prefix, strlen(plan->prefix)) != 0) continue;
    if (plan->skip > 0) {
      plan->skip--;
    } else if (plan->times != 0) {
      if (plan->times > 0) plan->times--;
      plan->faults++;
      code = plan->code;
      number = plan->number;
    }
  }
  pthread_mutex_unlock(&lock);
  if (code) errno = number;
  return code;
}

static sqlite3_file *real(sqlite3_file *file) { return ((struct file *)file)->real; }

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = fault((struct file *)file, FAULTY_DISK_READ);
  return code ? code : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int code = fault((struct file *)file, FAULTY_DISK_WRITE);
  return code ? code : real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) { return real(file)->pMethods->xTruncate(real(file), size); }

static int sync_file(sqlite3_file *file, int flags) {
  int code = fault((struct file *)file, FAULTY_DISK_SYNC);
  return code ? code : real(file)->pMethods->xSync(real(file), flags);
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size) { return real(file)->pMethods->xFileSize(real(file), size); }
static int lock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int unlock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int is_reserved(sqlite3_file *file, int *out) { return real(file)->pMethods->xCheckReservedLock(real(file), out); }
static int control(sqlite3_file *file, int op, void *arg) { return real(file)->pMethods->xFileControl(real(file), op, arg); }
static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int characteristics(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
static int shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}
static int shm_lock(sqlite3_file *file, int offset, int n, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}
static void shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int shm_unmap(sqlite3_file *file, int delete) { return real(file)->pMethods->xShmUnmap(real(file), delete); }

static const sqlite3_io_methods methods = {
  .iVersion = 2, .xClose = close_file, .xRead = read_file, .xWrite = write_file, .xTruncate = truncate_file,
  .xSync = sync_file, .xFileSize = size_of_file, .xLock = lock_file, .xUnlock = unlock_file,
  .xCheckReservedLock = is_reserved, .xFileControl = control, .xSectorSize = sector_size,
  .xDeviceCharacteristics = characteristics, .xShmMap = shm_map, .xShmLock = shm_lock, .xShmBarrier = shm_barrier,
  .xShmUnmap = shm_unmap,
};

static int open_file(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *flagsOut) {
  struct file *own = (struct file *)file;
  (void)self;
  own->path = name;
  own->real = (sqlite3_file *)(own + 1);
  /* The default VFS does the same when a file cannot be opened for writing. */
  if (fault(own, FAULTY_DISK_OPEN)) {
    flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
  }
  int status = usual->xOpen(usual, name, own->real, flags, flagsOut);
  own->base.pMethods = own->real->pMethods ? &methods : NULL;
  return status;
}

static void install(void) {
  usual = sqlite3_vfs_find(NULL);
  vfs = *usual;
  vfs.zName = "faulty-disk";
  vfs.szOsFile = (int)sizeof(struct file) + usual->szOsFile;
  vfs.xOpen = open_file;
  sqlite3_vfs_register(&vfs, 1);
}

void faulty_disk_install(void) { pthread_once(&once, install); }

int faulty_disk_plan(const char *prefix, enum faulty_disk_operation operation, int skip, int times, int code, int number) {
  int place = -1;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < (int)(sizeof plans / sizeof plans[0]) && place < 0; i++) {
    if (plans[i].used || strlen(prefix) >= sizeof plans[i].prefix) continue;
    plans[i] = (struct plan){.used = 1, .operation = operation, .skip = skip, .times = times, .code = code, .number = number};
    strcpy(plans[i].prefix, prefix);
    place = i;
  }
  pthread_mutex_unlock(&lock);
  return place;
}

int faulty_disk_faults(int plan) {
  pthread_mutex_lock(&lock);
  int faults = plans[plan].faults;
  pthread_mutex_unlock(&lock);
  return faults;
}

void faulty_disk_clear(int plan) {
  if (plan < 0) return;
  pthread_mutex_lock(&lock);
  plans[plan].used = 0;
  pthread_mutex_unlock(&lock);
}
