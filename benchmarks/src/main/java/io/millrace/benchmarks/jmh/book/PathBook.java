package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.OrderCommand;

/**
 * Our book behind a path for commands, on one thread: a few commands are published, then executed. Its reader hashes
 * the execution events.
 */
abstract class PathBook extends BookContender
{
    /** The whole server; commands are claimed and published one by one. */
    static final String SERVER = "server";

    /** The whole server; the commands of a batch are claimed and published together. */
    static final String SERVER_BATCH = "serverBatch";

    /** A bare ring, the book, and execution events in a bare array. */
    static final String ARRAY = "array";

    /** A bare ring and the book. */
    static final String RING = "ring";

    /** Events of a path; much more than a batch, and 200 KB of commands. */
    static final int CAPACITY = 2_048;

    /** Commands published before they are executed: a batch as a busy flow has it. */
    static final int BATCH = 16;

    private int waiting;
    private int executed;

    PathBook(final CommandColumns commands)
    {
        super(commands);
    }

    static PathBook opened(final String name, final CommandColumns commands)
    {
        return SERVER.equals(name) || SERVER_BATCH.equals(name) ?
            new ServerBook(commands, SERVER_BATCH.equals(name)) : new BareBook(commands, ARRAY.equals(name));
    }

    /** Claim, fill and publish a command; or claim and fill it, and publish it before it is executed. */
    abstract void publish(int index);

    /** Execute all published commands. */
    abstract void execute();

    @Override
    public void give(final int index)
    {
        publish(index);
        waiting++;
        if (waiting == BATCH)
        {
            finish();
        }
    }

    @Override
    protected void finish()
    {
        waiting = 0;
        execute();
    }

    final void fill(final OrderCommand command, final int index)
    {
        final int word = commands.word(index);
        command.set(BookCommands.commandType(word), BookCommands.orderType(word), BookCommands.side(word),
            BookFlow.SPEC.symbol(), commands.orderId(index), commands.uid(index), commands.price(index),
            commands.size(index), commands.reserveBidPrice(index), 0);
    }

    /** The reader of the execution events. */
    final void read(final ExecutionEvent event)
    {
        switch (event.kind())
        {
            case ExecutionKind.RESULT -> onResult(event.resultCode());
            case ExecutionKind.TRADE -> hash.event(EventHash.TRADE, event.makerOrderId(), event.price(), event.size());
            case ExecutionKind.REJECT -> hash.event(EventHash.REJECT, 0, event.price(), event.size());
            default -> hash.event(EventHash.REDUCE, 0, event.price(), event.size());
        }
    }

    /** The end of a command: what follows belongs to the next one. */
    final void onResult(final int code)
    {
        if (code != CommandResult.SUCCESS.code())
        {
            countRefusal();
        }
        executed = executed + 1 == commands.count() ? 0 : executed + 1;
        hash.command(commands.seq(executed));
    }
}
