package io.millrace.server.codec;

/**
 * Result of decoding bytes by an {@link EventCodec}.
 */
public enum DecodeResult
{
    /**
     * The bytes are a valid record; the event is filled.
     */
    OK,

    /**
     * The record is not in the view: the offset or the length is wrong.
     */
    OUT_OF_BOUNDS,

    /**
     * The record has fewer bytes than its type needs.
     */
    TOO_SHORT,

    /**
     * The record has more bytes than its type needs.
     */
    TOO_LONG,

    /**
     * The first byte is not a record type of this codec.
     */
    WRONG_TYPE,

    /**
     * This codec does not support the record's version.
     */
    WRONG_VERSION,

    /**
     * A reserved byte is not zero.
     */
    RESERVED_NOT_ZERO,

    /**
     * A field has an invalid value that no later check reports.
     */
    WRONG_VALUE
}
