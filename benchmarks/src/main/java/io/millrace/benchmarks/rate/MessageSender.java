package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.OpenLoop;

/**
 * Sends the recorded commands as messages, in their order and again from the first one. The sending thread.
 *
 * @param <M> the path's message.
 */
public final class MessageSender<M extends RateMessage> implements OpenLoop.Outlet
{
    private final PathUnderTest<M> outlet;
    private final CommandColumns commands;
    private final int commandCount;
    private int commandIndex;

    /**
     * A sender that begins with the first command.
     *
     * @param outlet   where the messages go.
     * @param commands content of the events.
     */
    public MessageSender(final PathUnderTest<M> outlet, final CommandColumns commands)
    {
        this.outlet = outlet;
        this.commands = commands;
        commandCount = commands.count();
    }

    @Override
    public boolean offer(final long number, final long intendedNs, final long nowNs)
    {
        final M message = outlet.claim();
        if (message == null)
        {
            return false;
        }
        message.stamp(intendedNs, nowNs);
        message.fill(commands, commandIndex);
        outlet.publish(message);
        commandIndex = commandIndex + 1 == commandCount ? 0 : commandIndex + 1;
        return true;
    }
}
