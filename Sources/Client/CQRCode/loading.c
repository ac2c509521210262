#include "include/CQRCode.h"

#include <CLoading.h>

#define SONAME "libqrencode.so.4"
CLOADING_NOTE("qr-codes", "addresses as QR codes", "recommended", SONAME)

#define FUNCTIONS(X) \
  X(QRcode *, NULL, QRcode_encodeString, (const char *a, int b, QRecLevel c, QRencodeMode d, int e), (a, b, c, d, e))
#define PROCEDURES(X) X(QRcode_free, (QRcode * a), (a))

CLOADING_LIBRARY(cqrcode_load, FUNCTIONS, PROCEDURES, CLOADING_NONE, SONAME)
