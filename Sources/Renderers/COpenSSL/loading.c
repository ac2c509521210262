/* OpenSSL, loaded when TLS is requested: linking it would cost every program that supports TLS 1.4 ms and 3 MB. */
#include "include/COpenSSL.h"

#include <CLoading.h>
#include <stdarg.h>

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)
/* The library that matches the headers, because other versions have different functions. */
#define SONAME "libssl.so." TEXT(OPENSSL_SHLIB_VERSION)

CLOADING_NOTE("tls", "HTTPS of coordinator-web", "recommended", SONAME)

#define FUNCTIONS(X) \
  X(int, 0, ASN1_INTEGER_set_uint64, (ASN1_INTEGER * a, uint64_t b), (a, b)) \
  X(int, 0, ASN1_TIME_diff, (int *a, int *b, const ASN1_TIME *c, const ASN1_TIME *d), (a, b, c, d)) \
  X(long, 0, BIO_ctrl, (BIO * a, int b, long c, void *d), (a, b, c, d)) \
  X(size_t, 0, BIO_ctrl_pending, (BIO * a), (a)) \
  X(int, 0, BIO_free, (BIO * a), (a)) \
  X(BIO *, NULL, BIO_new, (const BIO_METHOD *a), (a)) \
  X(int, -1, BIO_read, (BIO * a, void *b, int c), (a, b, c)) \
  X(const BIO_METHOD *, NULL, BIO_s_mem, (void), ()) \
  X(int, -1, BIO_write, (BIO * a, const void *b, int c), (a, b, c)) \
  X(unsigned long, 0, ERR_peek_last_error, (void), ()) \
  X(const char *, NULL, ERR_reason_error_string, (unsigned long a), (a)) \
  X(const EVP_MD *, NULL, EVP_sha256, (void), ()) \
  X(EVP_PKEY *, NULL, PEM_read_bio_PrivateKey, (BIO * a, EVP_PKEY **b, pem_password_cb *c, void *d), (a, b, c, d)) \
  X(X509 *, NULL, PEM_read_bio_X509, (BIO * a, X509 **b, pem_password_cb *c, void *d), (a, b, c, d)) \
  X(int, 0, PEM_write_bio_PrivateKey, \
    (BIO * a, const EVP_PKEY *b, const EVP_CIPHER *c, const unsigned char *d, int e, pem_password_cb *f, void *g), \
    (a, b, c, d, e, f, g)) \
  X(int, 0, PEM_write_bio_X509, (BIO * a, const X509 *b), (a, b)) \
  X(long, 0, SSL_CTX_ctrl, (SSL_CTX * a, int b, long c, void *d), (a, b, c, d)) \
  X(SSL_CTX *, NULL, SSL_CTX_new, (const SSL_METHOD *a), (a)) \
  X(int, 0, SSL_CTX_set_cipher_list, (SSL_CTX * a, const char *b), (a, b)) \
  X(uint64_t, 0, SSL_CTX_set_options, (SSL_CTX * a, uint64_t b), (a, b)) \
  X(int, 0, SSL_CTX_use_PrivateKey, (SSL_CTX * a, EVP_PKEY *b), (a, b)) \
  X(int, 0, SSL_CTX_use_certificate, (SSL_CTX * a, X509 *b), (a, b)) \
  X(long, 0, SSL_ctrl, (SSL * a, int b, long c, void *d), (a, b, c, d)) \
  X(int, -1, SSL_do_handshake, (SSL * a), (a)) \
  X(X509 *, NULL, SSL_get1_peer_certificate, (const SSL *a), (a)) \
  X(int, SSL_ERROR_SSL, SSL_get_error, (const SSL *a, int b), (a, b)) \
  X(BIO *, NULL, SSL_get_rbio, (const SSL *a), (a)) \
  X(BIO *, NULL, SSL_get_wbio, (const SSL *a), (a)) \
  X(SSL *, NULL, SSL_new, (SSL_CTX * a), (a)) \
  X(int, -1, SSL_read, (SSL * a, void *b, int c), (a, b, c)) \
  X(int, OPENSSL_NPN_NO_OVERLAP, SSL_select_next_proto, \
    (unsigned char **a, unsigned char *b, const unsigned char *c, unsigned int d, const unsigned char *e, unsigned int f), \
    (a, b, c, d, e, f)) \
  X(int, 1, SSL_set_alpn_protos, (SSL * a, const unsigned char *b, unsigned int c), (a, b, c)) \
  X(int, 0, SSL_set_cipher_list, (SSL * a, const char *b), (a, b)) \
  X(int, -1, SSL_shutdown, (SSL * a), (a)) \
  X(int, -1, SSL_write, (SSL * a, const void *b, int c), (a, b, c)) \
  X(const SSL_METHOD *, NULL, TLS_client_method, (void), ()) \
  X(const SSL_METHOD *, NULL, TLS_server_method, (void), ()) \
  X(X509_EXTENSION *, NULL, X509V3_EXT_conf_nid, (LHASH_OF(CONF_VALUE) * a, X509V3_CTX *b, int c, const char *d), \
    (a, b, c, d)) \
  X(int, 0, X509_NAME_add_entry_by_txt, \
    (X509_NAME * a, const char *b, int c, const unsigned char *d, int e, int f, int g), (a, b, c, d, e, f, g)) \
  X(int, 0, X509_add_ext, (X509 * a, X509_EXTENSION *b, int c), (a, b, c)) \
  X(int, -1, X509_check_host, (X509 * a, const char *b, size_t c, unsigned int d, char **e), (a, b, c, d, e)) \
  X(int, -1, X509_check_ip_asc, (X509 * a, const char *b, unsigned int c), (a, b, c)) \
  X(int, 0, X509_cmp_current_time, (const ASN1_TIME *a), (a)) \
  X(int, 0, X509_digest, (const X509 *a, const EVP_MD *b, unsigned char *c, unsigned int *d), (a, b, c, d)) \
  X(const ASN1_TIME *, NULL, X509_get0_notAfter, (const X509 *a), (a)) \
  X(const ASN1_TIME *, NULL, X509_get0_notBefore, (const X509 *a), (a)) \
  X(ASN1_INTEGER *, NULL, X509_get_serialNumber, (X509 * a), (a)) \
  X(X509_NAME *, NULL, X509_get_subject_name, (const X509 *a), (a)) \
  X(ASN1_TIME *, NULL, X509_getm_notAfter, (const X509 *a), (a)) \
  X(ASN1_TIME *, NULL, X509_getm_notBefore, (const X509 *a), (a)) \
  X(ASN1_TIME *, NULL, X509_gmtime_adj, (ASN1_TIME * a, long b), (a, b)) \
  X(X509 *, NULL, X509_new, (void), ()) \
  X(int, 0, X509_set_issuer_name, (X509 * a, const X509_NAME *b), (a, b)) \
  X(int, 0, X509_set_pubkey, (X509 * a, EVP_PKEY *b), (a, b)) \
  X(int, 0, X509_set_version, (X509 * a, long b), (a, b)) \
  X(int, 0, X509_sign, (X509 * a, EVP_PKEY *b, const EVP_MD *c), (a, b, c))

#define PROCEDURES(X) \
  X(ERR_clear_error, (void), ()) \
  X(EVP_PKEY_free, (EVP_PKEY * a), (a)) \
  X(SSL_CTX_free, (SSL_CTX * a), (a)) \
  X(SSL_CTX_set_alpn_select_cb, (SSL_CTX * a, SSL_CTX_alpn_select_cb_func b, void *c), (a, b, c)) \
  X(SSL_free, (SSL * a), (a)) \
  X(SSL_set_accept_state, (SSL * a), (a)) \
  X(SSL_set_bio, (SSL * a, BIO *b, BIO *c), (a, b, c)) \
  X(SSL_set_connect_state, (SSL * a), (a)) \
  X(X509V3_set_ctx, (X509V3_CTX * a, X509 *b, X509 *c, X509_REQ *d, X509_CRL *e, int f), (a, b, c, d, e, f)) \
  X(X509_EXTENSION_free, (X509_EXTENSION * a), (a)) \
  X(X509_free, (X509 * a), (a))

/* Of its parameters, only the name of a curve is known here: EVP_EC_gen(). */
#define OTHERS(X) X(EVP_PKEY_Q_keygen)

CLOADING_LIBRARY(copenssl_load, FUNCTIONS, PROCEDURES, OTHERS, SONAME)

__attribute__((visibility("hidden"))) EVP_PKEY *EVP_PKEY_Q_keygen(OSSL_LIB_CTX *context, const char *properties,
                                                                  const char *type, ...) {
  if (library.EVP_PKEY_Q_keygen == NULL) return NULL;
  va_list arguments;
  va_start(arguments, type);
  const char *curve = va_arg(arguments, const char *);
  va_end(arguments);
  return library.EVP_PKEY_Q_keygen(context, properties, type, curve);
}
