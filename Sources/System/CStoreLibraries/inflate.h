#include <zlib.h>

/* Swift does not see inflateInit2, which is a macro. Negative bits mean a stream without header and checksum. */
static inline int schemagen_inflate_raw(z_stream *stream) {
  stream->zalloc = Z_NULL;
  stream->zfree = Z_NULL;
  stream->opaque = Z_NULL;
  stream->next_in = Z_NULL;
  stream->avail_in = 0;
  return inflateInit2(stream, -15);
}
