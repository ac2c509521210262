/* A disk that fails on demand: an SQLite VFS in front of the default one, for tests. */
#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

/* FAULTY_DISK_OPEN: opening a file for writing. A fault opens it for reading instead, as SQLite does; the code and the
   number are ignored. */
enum faulty_disk_operation { FAULTY_DISK_READ, FAULTY_DISK_WRITE, FAULTY_DISK_SYNC, FAULTY_DISK_OPEN };

/* Makes this VFS the default, so that every database that this process opens from now on uses it. Without planned
   faults it behaves like the previous default. */
void faulty_disk_install(void);

/* Plans a fault for the files whose paths begin with PREFIX: SKIP operations succeed, and the next TIMES operations
   (-1: all) fail with the SQLite result CODE and the errno NUMBER. Returns the index of the plan; -1 if PREFIX is too
   long or there is no room for another plan. */
int faulty_disk_plan(const char *prefix, enum faulty_disk_operation operation, int skip, int times, int code, int number);

/* Returns the number of times that the fault of a plan has happened. */
int faulty_disk_faults(int plan);

/* Removes a plan. */
void faulty_disk_clear(int plan);

#endif
