#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

// Swift cannot import this macro, because it combines other macros.
static inline int placekeeper_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }

// A parameter keeps the pointer to its name. From Swift, the pointer to a name is valid only during the call, so these
// functions pass the names.
static inline OSSL_PARAM placekeeper_parameter_digest(char *name) {
    return OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0);
}

static inline OSSL_PARAM placekeeper_parameter_modulus(unsigned char *bytes, size_t count) {
    return OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N, bytes, count);
}

static inline OSSL_PARAM placekeeper_parameter_exponent(unsigned char *bytes, size_t count) {
    return OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, bytes, count);
}

static inline OSSL_PARAM placekeeper_parameter_group(char *name) {
    return OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name, 0);
}

static inline OSSL_PARAM placekeeper_parameter_point(unsigned char *bytes, size_t count) {
    return OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, bytes, count);
}
