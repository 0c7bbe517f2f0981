package io.millrace.journal;

import org.agrona.concurrent.Agent;

import java.util.function.Supplier;

/** The keeper or the follower of a journal, which does nothing until there is one. */
final class LateAgent implements Agent
{
    private final String role;
    /** Gives null until there is one. */
    private final Supplier<? extends Agent> agent;

    LateAgent(final String role, final Supplier<? extends Agent> agent)
    {
        this.role = role;
        this.agent = agent;
    }

    @Override
    public int doWork() throws Exception
    {
        final Agent running = agent.get();
        return running == null ? 0 : running.doWork();
    }

    @Override
    public void onClose()
    {
        final Agent last = agent.get();
        if (last != null)
        {
            last.onClose();
        }
    }

    @Override
    public String roleName()
    {
        return role;
    }
}
