package io.millrace.ipc;

import io.millrace.pool.ByteView;

/**
 * Receives the ends of submitted calls.
 */
@FunctionalInterface
public interface ResponseHandler
{
    /**
     * A call has ended. Called by the lane's thread, in the order of the submissions. It may claim and submit; its own
     * slot becomes free when it returns, so in a full lane {@link HostLane#claim} returns null until then.
     *
     * @param call     number of the call, as {@link HostLane#submit} returned it.
     * @param status   how it ended.
     * @param response its bytes, if the status is OK; valid until this method returns. The peer can still change them:
     *                 read each field once, then check it.
     * @param length   of the response in bytes; 0 unless the status is OK.
     */
    void onResponse(long call, CallStatus status, ByteView response, int length);
}
