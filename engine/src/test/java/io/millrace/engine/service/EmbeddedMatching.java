package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.pool.ByteView;
import io.millrace.server.BackPressure;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.testing.Await;

import java.util.List;

/** A user's program: a market maker and a taker, a thousand trades through default servers. */
public final class EmbeddedMatching
{
    private static final int SYMBOL = 1;
    private static final int COUNT = 1_000;

    private long trades;
    private long volume;
    private long results;

    private EmbeddedMatching()
    {
    }

    public static void main(final String[] arguments)
    {
        new EmbeddedMatching().run("ring", Pipelines.ring());
        new EmbeddedMatching().run("spsc", Pipelines.spsc(256));
        new EmbeddedMatching().run("disruptor", Pipelines.disruptor(256));
        new EmbeddedMatching().run("direct", Pipelines.direct());
        new EmbeddedMatching().runFromBytes();
        System.out.println("closed");
    }

    private void run(final String name, final Pipelines.Spec<ExecutionEvent> pipeline)
    {
        final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 256);
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 256);
        final MatchingService service = new MatchingService(List.of(SymbolSpec.spot(SYMBOL)), executions);
        final Server server = Server.launch(new Server.Context().stallTimeoutNs(Await.LONG_NS)
            .flow("commands", f -> f.from(commands).onFull(BackPressure.BLOCK).to("match", service))
            .flow("executions", f -> f.from(executions).through(pipeline).onFull(BackPressure.BLOCK)
                .to("report", (event, sequence, endOfBatch) -> report(event))));
        for (int i = 0; i < COUNT; i++)
        {
            commands.publish(commands.claim().limit(SYMBOL, 2L * i, 10, Side.ASK, 1_000 + i % 7, 5));
            commands.publish(commands.claim().immediate(SYMBOL, 2L * i + 1, 11, Side.BID, 1_010, 5));
        }
        server.close();
        System.out.println(name + " trades " + trades + " volume " + volume + " results " + results + " resting " +
            service.engine().book(SYMBOL).orderCount());
    }

    /** The same with users and money, and with commands as records. */
    private void runFromBytes()
    {
        final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 256);
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 256);
        final MatchingService service = new MatchingService("paid", new EngineContext()
            .symbol(SymbolSpec.spot(SYMBOL), SymbolTerms.spot(1, 2, 1, 1)).risk(new RiskLimits()), executions);
        final Server server = Server.launch(new Server.Context().stallTimeoutNs(Await.LONG_NS)
            .flow("commands", f -> f.from(commands).onFull(BackPressure.BLOCK).to("match", service))
            .flow("executions", f -> f.from(executions).onFull(BackPressure.BLOCK)
                .to("report", (event, sequence, endOfBatch) -> report(event))));
        for (int uid = 10; uid <= 11; uid++)
        {
            giveAsBytes(commands, new OrderCommand().addUser(uid));
            giveAsBytes(commands, new OrderCommand().adjustBalance(uid, 1, 100_000, 1));
            giveAsBytes(commands, new OrderCommand().adjustBalance(uid, 2, 10_000_000, 2));
        }
        for (int i = 0; i < COUNT; i++)
        {
            giveAsBytes(commands, new OrderCommand().limit(SYMBOL, 2L * i, 10, Side.ASK, 1_000 + i % 7, 5));
            giveAsBytes(commands, new OrderCommand().immediate(SYMBOL, 2L * i + 1, 11, Side.BID, 1_010, 5));
        }
        server.close();
        service.engine().verify();
        System.out.println("bytes trades " + trades + " volume " + volume + " results " + results + " resting " +
            service.engine().book(SYMBOL).orderCount());
    }

    private static void giveAsBytes(final InVmSource<OrderCommand> commands, final OrderCommand command)
    {
        final OrderCommandCodec codec = new OrderCommandCodec();
        final ByteView view = new ByteView(new byte[codec.maxLengthBytes()]);
        final int length = codec.encode(command, view, 0);
        final OrderCommand claimed = commands.claim();
        if (codec.decode(view, 0, length, claimed) != DecodeResult.OK)
        {
            throw new IllegalStateException("not decoded: " + command);
        }
        commands.publish(claimed);
    }

    private void report(final ExecutionEvent event)
    {
        if (event.kind() == ExecutionKind.TRADE)
        {
            trades++;
            volume += event.size();
        }
        else if (event.kind() == ExecutionKind.RESULT)
        {
            results++;
        }
    }
}
