/* OpenSSL, loaded at its first use: see loading.c. Wraps its macros and callbacks as functions that Swift can call. */
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

/* Loads OpenSSL, unless it is loaded already. Must be called before any other function of this module, which otherwise returns
   its failure value. May be called from any thread. Returns NULL on success, or the reason why it cannot be loaded: a text that
   remains valid until the process ends. */
const char *copenssl_load(void);

/* Selects http/1.1. A client that offers protocols but not this one is refused, so that no request of another protocol is
   interpreted as HTTP. */
static inline int copenssl_select_http(SSL *ssl, const unsigned char **out, unsigned char *length, const unsigned char *in,
                                       unsigned int size, void *context) {
  static const unsigned char http[] = "\x08http/1.1";
  (void)ssl, (void)context;
  int found = SSL_select_next_proto((unsigned char **)out, length, http, sizeof http - 1, in, size);
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/* Sets the options of every server: TLS 1.2 or later, ephemeral keys, no renegotiation, http/1.1. Returns 1 on success. */
static inline int copenssl_configure(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context, copenssl_select_http, NULL);
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) &&
         SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
}

/* Gives a session a pair of buffers in place of a socket. Returns 0 if there is no memory. */
static inline int copenssl_set_buffers(SSL *ssl) {
  BIO *incoming = BIO_new(BIO_s_mem()), *outgoing = BIO_new(BIO_s_mem());
  if (!incoming || !outgoing) {
    BIO_free(incoming);
    BIO_free(outgoing);
    return 0;
  }
  SSL_set_bio(ssl, incoming, outgoing);
  SSL_set_accept_state(ssl);
  return 1;
}

static inline size_t copenssl_pending(BIO *bio) { return BIO_ctrl_pending(bio); }

static inline EVP_PKEY *copenssl_new_key(void) { return EVP_EC_gen("P-256"); }

/* Adds an extension to a self-signed certificate. Returns 1 on success. */
static inline int copenssl_add_extension(X509 *certificate, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  if (!extension) return 0;
  int added = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return added;
}

/* Sets the common name of a certificate's holder, in UTF-8. Returns 1 on success. */
static inline int copenssl_set_name(X509_NAME *holder, const char *name) {
  return X509_NAME_add_entry_by_txt(holder, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0);
}

/* Returns whether a certificate is valid now and will be for some more seconds. */
static inline int copenssl_is_valid(const X509 *certificate, long seconds) {
  int days = 0, rest = 0;
  if (X509_cmp_current_time(X509_get0_notBefore(certificate)) >= 0) return 0;
  if (!ASN1_TIME_diff(&days, &rest, NULL, X509_get0_notAfter(certificate))) return 0;
  return days * 86400L + rest > seconds;
}

/* Adds a certificate to the chain that leads to an authority. Returns 1 on success. */
static inline int copenssl_add_to_chain(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

/* Returns the number of bytes of a buffer, and stores their address. */
static inline long copenssl_content(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }
