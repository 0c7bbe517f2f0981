package io.millrace.examples;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.OrderCommand;
import io.millrace.engine.service.ShardedMatching;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.pipeline.EventHandler;

import java.io.PrintStream;

/**
 * Four symbols in two shards, each on its own agent. The engine keeps no users, so the shards share nothing and run in
 * parallel. The executions of each symbol are the same as on one agent.
 */
public final class TradeInShards
{
    private static final int CAPACITY = 1_024;
    private static final int SHARDS = 2;
    private static final int SYMBOLS = 4;
    private static final int ROUNDS = 1_000;
    private static final long SELLER = 1;
    private static final long BUYER = 2;

    /** Trades of one shard. Used by its reader's thread until the server has closed. */
    private static final class Tally implements EventHandler<ExecutionEvent>
    {
        private long trades;
        private long answers;

        @Override
        public void onEvent(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
        {
            trades += event.kind() == ExecutionKind.TRADE ? 1 : 0;
            answers += event.kind() == ExecutionKind.RESULT ? 1 : 0;
        }
    }

    private final PrintStream out;
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, CAPACITY);

    private TradeInShards(final PrintStream out)
    {
        this.out = out;
    }

    /**
     * Trade in shards.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        run(System.out);
    }

    static void run(final PrintStream out)
    {
        new TradeInShards(out).run();
    }

    private void run()
    {
        final EngineContext engine = new EngineContext();
        for (int symbol = 0; symbol < SYMBOLS; symbol++)
        {
            engine.symbol(SymbolSpec.spot(symbol));
        }
        final Tally[] tallies = {new Tally(), new Tally()};
        final ShardedMatching matching = new ShardedMatching(engine, SHARDS)
            .commands(flow -> flow.from(commands).onFull(BackPressure.BLOCK))
            .executions((shard, flow) -> flow.to("tally-" + shard, tallies[shard]));
        final Server server = Server.launch(matching.addTo(new Server.Context()));
        trade();
        server.close();
        for (int i = 0; i < SHARDS; i++)
        {
            out.println("shard " + i + ": " + tallies[i].answers + " commands, " + tallies[i].trades + " trades");
        }
        out.println("state " + Long.toHexString(matching.stateHash()));
    }

    private void trade()
    {
        for (long id = 0; id < ROUNDS; id++)
        {
            for (int symbol = 0; symbol < SYMBOLS; symbol++)
            {
                commands.publish(commands.claim().limit(symbol, 2 * id, SELLER, Side.ASK, 100, 1));
                commands.publish(commands.claim().limit(symbol, 2 * id + 1, BUYER, Side.BID, 100, 1));
            }
        }
    }
}
