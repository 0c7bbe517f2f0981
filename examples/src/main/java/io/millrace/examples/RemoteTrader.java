package io.millrace.examples;

import io.millrace.engine.book.Side;
import io.millrace.engine.codec.ExecutionEventCodec;
import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.OrderCommand;
import io.millrace.ipc.CallSink;
import io.millrace.ipc.ExchangeGuest;
import io.millrace.ipc.ExchangeHost;
import io.millrace.ipc.RequestSource;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A process with orders of {@link MatchBetweenProcesses}: five of one side, at one price. */
public final class RemoteTrader
{
    private static final int ORDERS = 5;
    private static final int CAPACITY = RemoteMatcher.CAPACITY;
    private static final long WAIT_S = 20;

    private RemoteTrader()
    {
    }

    /**
     * Sends the orders, prints how they ended, and waits to be killed.
     *
     * @param args folder of the exchanges, side.
     * @throws Exception if no answer comes.
     */
    public static void main(final String[] args) throws Exception
    {
        final byte side = args[1].equals("ask") ? Side.ASK : Side.BID;
        final AtomicInteger results = new AtomicInteger();
        final AtomicInteger trades = new AtomicInteger();
        final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, CAPACITY);
        final ExchangeHost host = ExchangeHost.create(RemoteMatcher.orders(args[0]));
        final ExchangeGuest guest = ExchangeGuest.launch(RemoteMatcher.executions(args[0]));
        await(() -> guest.isAttached() && host.isGuestAttached());
        Server.launch(new Server.Context()
            .flow("orders", f -> f.from(commands).through(Pipelines.ring())
                .to("send", new CallSink<>("send", OrderCommand.class, host.lane(0), new OrderCommandCodec(), null)))
            .flow("executions", f -> f
                .from(ExecutionEvent::new, CAPACITY,
                    new RequestSource<ExecutionEvent>(guest, new ExecutionEventCodec()))
                .through(Pipelines.ring()).to("count", (event, sequence, endOfBatch) ->
                    (event.kind() == ExecutionKind.RESULT ? results : trades).incrementAndGet())));
        for (int i = 0; i < ORDERS; i++)
        {
            commands.publish(commands.claim().limit(RemoteMatcher.SYMBOL, 10L * side + i, 7 + side, side, 100, 1));
        }
        await(() -> results.get() == ORDERS);
        System.out.println("orders " + results.get() + ", trades " + trades.get());
        Thread.sleep(TimeUnit.SECONDS.toMillis(WAIT_S));
    }

    private interface Condition
    {
        boolean isTrue();
    }

    private static void await(final Condition condition) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        while (!condition.isTrue())
        {
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(WAIT_S))
            {
                throw new IllegalStateException("the other process does not answer");
            }
            Thread.sleep(1);
        }
    }
}
