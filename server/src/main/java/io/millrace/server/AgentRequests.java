package io.millrace.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The requests to one agent. Its thread carries them out; when it has ended, they are refused, except last steps of
 * changes: the thread of the change carries these out.
 */
final class AgentRequests
{
    private final String agent;
    private final Queue<AgentRequest<?>> requests = new ConcurrentLinkedQueue<>();
    /** Whether the agent's thread uses its parts. Ends under the lock of this object. */
    private volatile boolean alive;

    AgentRequests(final String agent)
    {
        this.agent = agent;
    }

    /** The agent's thread starts. */
    void begin()
    {
        alive = true;
    }

    /** Any thread. */
    void add(final AgentRequest<?> request)
    {
        requests.add(request);
    }

    /** The agent's thread, between two duty cycles. */
    void runAll()
    {
        AgentRequest<?> request = requests.poll();
        while (request != null)
        {
            request.run();
            request = requests.poll();
        }
    }

    /** Any thread, after it has added a request and has seen that the agent ends. */
    void addedLate(final AgentRequest<?> request)
    {
        if (request.isEndedWith(agent))
        {
            requests.remove(request);
        }
        else if (isLeft(request))
        {
            request.run();
        }
    }

    /** Whether the agent's thread ended before it saw this step. */
    private synchronized boolean isLeft(final AgentRequest<?> step)
    {
        return !alive && requests.remove(step);
    }

    /** The agent's thread, last, after it has closed its parts. No effect if it is called again. */
    void end()
    {
        for (AgentRequest<?> next = nextAtEnd(); next != null; next = nextAtEnd())
        {
            if (!next.isEndedWith(agent))
            {
                next.run();
            }
        }
    }

    /** Null ends the agent's life in the same moment: no other thread uses the parts while it carries out a step. */
    private synchronized AgentRequest<?> nextAtEnd()
    {
        final AgentRequest<?> next = requests.poll();
        alive = next != null;
        return next;
    }

    /** Any thread: whether the agent's thread may use its parts. */
    boolean isAlive()
    {
        return alive;
    }
}
