package io.millrace.ipc;

import io.millrace.pool.ByteView;

/**
 * Writes the requests of a {@linkplain HostLane#batch batch}.
 */
@FunctionalInterface
public interface RequestFiller
{
    /**
     * Write a request. Called by the lane's thread.
     *
     * @param index   number of the request in its batch, from 0.
     * @param request receives the bytes.
     * @return length of the request in bytes.
     */
    int fill(int index, ByteView request);
}
