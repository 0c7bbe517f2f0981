package io.millrace.ipc;

/**
 * Serves requests.
 */
@FunctionalInterface
public interface RequestHandler
{
    /**
     * Result of {@link #onRequest} if {@link ExchangeGuest#reply} will answer later.
     */
    int DEFERRED = -1;

    /**
     * Result of {@link #onRequest} that gives the caller {@link CallStatus#REFUSED}.
     */
    int REFUSED = -2;

    /**
     * Serve a request. Called by the thread that serves the lane; for a nested request by the thread that waits for the
     * answer of its own call.
     * <p>
     * The bytes are in memory that the peer can still change: read each field once, then check it.
     *
     * @param request its bytes, and the space for the response; valid until this call returns.
     * @return length of the response in bytes, 0 to the response's capacity, {@link #DEFERRED} or {@link #REFUSED}.
     * @throws Exception on failure; the caller gets {@link CallStatus#FAILED}, the error handler the exception.
     */
    int onRequest(Request request) throws Exception;
}
