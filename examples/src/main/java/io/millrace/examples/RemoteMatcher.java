package io.millrace.examples;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.codec.ExecutionEventCodec;
import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.ipc.CallSink;
import io.millrace.ipc.ExchangeContext;
import io.millrace.ipc.ExchangeGuest;
import io.millrace.ipc.ExchangeHost;
import io.millrace.ipc.RequestSource;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process with the book of {@link MatchBetweenProcesses}. */
public final class RemoteMatcher
{
    static final int SYMBOL = 1;
    static final int CAPACITY = 1_024;
    /** Longer than a busy machine keeps the other process off its core. */
    private static final long TIMEOUT_S = 10;

    private RemoteMatcher()
    {
    }

    /** Carries orders to the matcher. */
    static ExchangeContext orders(final String folder)
    {
        return exchange("orders", folder);
    }

    /** Carries executions to the trader. */
    static ExchangeContext executions(final String folder)
    {
        return exchange("executions", folder);
    }

    private static ExchangeContext exchange(final String name, final String folder)
    {
        return new ExchangeContext(name).directory(Path.of(folder)).payloadBytes(256)
            .timeout(TIMEOUT_S, TimeUnit.SECONDS);
    }

    /**
     * Matches until the process is ended; survives each trader.
     *
     * @param args folder of the exchanges.
     * @throws Exception if the server cannot start.
     */
    public static void main(final String[] args) throws Exception
    {
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, CAPACITY);
        final MatchingService matching = new MatchingService(List.of(SymbolSpec.future(SYMBOL)), executions);
        final ExchangeHost host = ExchangeHost.create(executions(args[0]));
        final ExchangeGuest guest = ExchangeGuest.launch(orders(args[0]));
        final Server server = Server.launch(new Server.Context()
            .flow("orders", f -> f
                .from(OrderCommand::new, CAPACITY, new RequestSource<OrderCommand>(guest, new OrderCommandCodec()))
                .through(Pipelines.ring()).to("match", matching))
            .flow("executions", f -> f.from(executions).through(Pipelines.ring())
                .to("send", new CallSink<>("send", ExecutionEvent.class, host.lane(0), new ExecutionEventCodec(),
                    null))));
        Runtime.getRuntime().addShutdownHook(new Thread(() ->
        {
            server.close();
            guest.close();
            host.close();
        }));
    }
}
