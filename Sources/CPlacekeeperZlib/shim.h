#pragma once
#include <zlib.h>

// Swift does not import the initializers, which are macros.
static inline int czlib_deflate_init(z_stream *stream, int level, int windowBits) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

static inline int czlib_inflate_init(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

// The type of the block (RFC 1951 section 3.2.3) before which inflate(stream, Z_BLOCK) stopped: 0 is stored, 1 has fixed
// and 2 dynamic Huffman codes. The header of a block is one bit, which marks the last block, and two bits with the type.
// data_type says whether a block ended here, and how many bits of the byte before next_in are still unread. Returns -1 if
// no block begins here, or if the header is not there yet.
static inline int czlib_next_block(const z_stream *stream) {
    unsigned unread = stream->data_type & 7;
    if ((stream->data_type & 128) == 0 || (stream->data_type & 64) != 0) return -1;
    if (unread < 3 && stream->avail_in == 0) return -1;
    unsigned bits = unread == 0 ? stream->next_in[0]
        : stream->next_in[-1] >> (8 - unread) | (unread < 3 ? (unsigned)stream->next_in[0] << unread : 0);
    return bits >> 1 & 3;
}
