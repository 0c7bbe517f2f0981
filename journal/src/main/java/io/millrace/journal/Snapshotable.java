package io.millrace.journal;

import java.io.IOException;

/**
 * State that a snapshot contains. The same state gives the same bytes on every JDK and in every process.
 */
public interface Snapshotable
{
    /**
     * Write the whole state. On the thread that owns it.
     *
     * @param out takes the bytes.
     * @throws IOException when they cannot be written.
     */
    void writeTo(SnapshotOutput out) throws IOException;

    /**
     * Replace the whole state by one that {@link #writeTo} wrote. The bytes were checked against their checksum before.
     *
     * @param in has exactly these bytes.
     * @throws IOException when they cannot be read, or are not a valid state.
     */
    void readFrom(SnapshotInput in) throws IOException;

    /**
     * A number that depends on the whole state and on nothing else.
     *
     * @return the hash.
     */
    long stateHash();
}
