/**
 * Binary codecs for commands and their answers: little-endian records of fixed size. A descriptor class documents each
 * record; a codec converts it to a pooled event and back. {@code docs/order-entry.md} describes the protocol for
 * external clients.
 */
package io.millrace.engine.codec;
