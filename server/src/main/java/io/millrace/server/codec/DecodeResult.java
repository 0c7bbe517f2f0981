package io.millrace.server.codec;

/**
 * What an {@link EventCodec} says of the bytes that it was given.
 */
public enum DecodeResult
{
    /**
     * They were an event.
     */
    OK,

    /**
     * The record is not in the view: the offset or the length is wrong.
     */
    OUT_OF_BOUNDS,

    /**
     * There are fewer bytes than the record has.
     */
    TOO_SHORT,

    /**
     * There are more bytes than the record has.
     */
    TOO_LONG,

    /**
     * The first byte is the type of no record of this codec.
     */
    WRONG_TYPE,

    /**
     * The record has a version that this codec does not know.
     */
    WRONG_VERSION,

    /**
     * A byte that has to be zero is not.
     */
    RESERVED_NOT_ZERO,

    /**
     * A field has a value that it cannot have, and that no later check answers.
     */
    WRONG_VALUE
}
