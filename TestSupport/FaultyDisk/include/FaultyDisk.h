/* A disk that fails when it is told to: a VFS for SQLite, in front of the usual one, for tests. */
#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

/* FAULTY_DISK_OPEN: to open a file for writing. It is opened for reading instead, as SQLite does; the code and the number say nothing. */
enum faulty_disk_operation { FAULTY_DISK_READ, FAULTY_DISK_WRITE, FAULTY_DISK_SYNC, FAULTY_DISK_OPEN };

/* Has every database that is opened from now on in this process be on such a disk. Until a fault is planned it does what it is told. */
void faulty_disk_install(void);

/* Plans a fault for the files whose paths begin so: SKIP operations are done, the TIMES behind
   them (-1: all) fail with CODE, of SQLite, and NUMBER, of the system. Returns where it
   stands; -1 if there is no place for another one. */
int faulty_disk_plan(const char *prefix, enum faulty_disk_operation operation, int skip, int times, int code, int number);

/* How often the fault that stands there has happened. */
int faulty_disk_faults(int plan);

/* Forgets it. */
void faulty_disk_clear(int plan);

#endif
