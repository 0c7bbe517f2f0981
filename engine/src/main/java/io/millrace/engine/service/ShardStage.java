package io.millrace.engine.service;

import io.millrace.server.HandlerService;
import io.millrace.server.ServiceContext;

/**
 * A stage of a sharded engine: has the name and the counters of the service that answers for it.
 */
abstract class ShardStage implements HandlerService<OrderCommand>
{
    private final MatchingService answers;

    ShardStage(final MatchingService answers)
    {
        this.answers = answers;
    }

    @Override
    public final String name()
    {
        return answers.name();
    }

    @Override
    public final Class<OrderCommand> eventType()
    {
        return OrderCommand.class;
    }

    @Override
    public final void onStart(final ServiceContext context)
    {
        answers.onStart(context);
    }

    /** The service that applies commands and answers them. */
    final MatchingService answers()
    {
        return answers;
    }
}
