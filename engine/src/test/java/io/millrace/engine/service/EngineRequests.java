package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.FeedHash;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.EngineSnapshotTest.Applied;
import io.millrace.journal.DurableHandler;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalContext;
import io.millrace.journal.SimApplication;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What the simulator runs in this module: the engine with users behind its journal. Each client is a user. Its first
 * requests open the account; then it adjusts, places, cancels and changes orders of every type. The number of a request
 * is the time of its command, so a request that is sent again is the same command.
 * <p>
 * An adjustment that is sent again is applied once. An order id is free when its order is gone, so the reference
 * decides what becomes of an order that is sent again.
 */
final class EngineRequests implements SimApplication<OrderCommand>
{
    private static final int CURRENCIES = 3;
    private static final long RICH = 1L << 18;
    private static final int MAX_CLIENTS = 8;

    private MatchingService matching;
    private InVmSource<ExecutionEvent> out;

    private static EngineContext engineContext()
    {
        return RandomOrders.context(true);
    }

    private MatchingService service(final String name, final InVmSource<ExecutionEvent> executions)
    {
        return new MatchingService(name, engineContext().marketData(new FeedHash()), executions);
    }

    private static InVmSource<ExecutionEvent> executions()
    {
        return new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
    }

    @Override
    public JournalContext<OrderCommand> context(final Path directory)
    {
        out = executions();
        matching = service("matching", out);
        return DurableMatching.context(directory, matching);
    }

    @Override
    public void addFlows(
        final Server.Context server, final Journal<OrderCommand> journal, final InVmSource<OrderCommand> commands,
        final String topology, final Answers answers)
    {
        server.flow("commands", f -> f.from(commands).to("journal", journal.stage())
            .to("match", new DurableMatching(journal, matching), "journal"))
            .flow("executions", f -> f.from(out).through(Pipelines.direct()).to("answers",
                (event, sequence, endOfBatch) ->
                {
                    if (event.kind() == ExecutionKind.RESULT)
                    {
                        answers.onAnswer(event.commandSequence(), (int)event.uid() - 1, event.commandTimeNs() - 1,
                            event.resultCode(), matching.engine().timedHash());
                    }
                }));
    }

    @Override
    public List<String> topologies()
    {
        return List.of("serial");
    }

    @Override
    public long stateHash()
    {
        return matching.engine().timedHash();
    }

    @Override
    public DurableHandler<OrderCommand> copy(final Journal<OrderCommand> journal, final Answers states)
    {
        final DurableMatching copy = new DurableMatching(journal, service("copy", executions()));
        return new DurableHandler<>()
        {
            @Override
            public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
            {
                copy.onEvent(command, sequence, endOfBatch);
                states.onState(sequence, copy.stateHash());
            }

            @Override
            public void onReplayStart()
            {
                copy.onReplayStart();
            }

            @Override
            public void writeTo(final SnapshotOutput into) throws IOException
            {
                copy.writeTo(into);
            }

            @Override
            public void readFrom(final SnapshotInput from) throws IOException
            {
                copy.readFrom(from);
            }

            @Override
            public long stateHash()
            {
                return copy.stateHash();
            }
        };
    }

    @Override
    public Reference<OrderCommand> reference()
    {
        final Applied applied = new Applied(engineContext());
        return new Reference<>()
        {
            @Override
            public int apply(final OrderCommand command)
            {
                return applied.apply(command).code();
            }

            @Override
            public long stateHash()
            {
                return applied.engine.timedHash();
            }
        };
    }

    @Override
    public OrderCommand command()
    {
        return new OrderCommand();
    }

    @Override
    public void fill(final OrderCommand command, final int client, final long number)
    {
        final long uid = client + 1L;
        if (number == 0)
        {
            command.addUser(uid);
        }
        else if (number <= CURRENCIES)
        {
            command.adjustBalance(uid, 99 + (int)number, RICH, number);
        }
        else
        {
            fill(command, uid, number, new SplittableRandom(number * MAX_CLIENTS + client));
        }
        command.timestampNs(number + 1);
    }

    private static void fill(
        final OrderCommand command, final long uid, final long number, final SplittableRandom random)
    {
        final int symbol = 1 + random.nextInt(RandomOrders.SYMBOLS);
        final long price = 90 + random.nextInt(21);
        final long size = 1 + random.nextInt(9);
        final long id = number * MAX_CLIENTS + uid;
        final long earlier = Math.max(1, number - 1 - random.nextInt(20)) * MAX_CLIENTS + uid;
        final byte side = random.nextInt(2) == 0 ? Side.BID : Side.ASK;
        switch (random.nextInt(8))
        {
            case 0:
                command.adjustBalance(uid, 100 + random.nextInt(CURRENCIES), random.nextInt(8_000) - 4_000, number);
                break;
            case 1:
                command.set(random.nextInt(2) == 0 ? CommandType.CANCEL : CommandType.REDUCE, (byte)0, Side.BID,
                    symbol, earlier, uid, price, size, 0, 0);
                break;
            case 2:
                command.set(random.nextInt(2) == 0 ? CommandType.MOVE : CommandType.REPLACE, (byte)0, Side.BID,
                    symbol, earlier, uid, price, size, 0, 0);
                break;
            case 3:
                command.set(CommandType.PLACE, OrderType.GTD, side, SelfTradePolicy.ALLOW, symbol, id, uid, price, size,
                    price + 5, number + random.nextInt(50), 0);
                break;
            case 4:
                command.immediate(symbol, id, uid, side, price, size).reservePrice(price + 5);
                break;
            default:
                command.limit(symbol, id, uid, side, price, size).reservePrice(price + random.nextInt(6));
                break;
        }
    }

    @Override
    public int clientOf(final OrderCommand command)
    {
        return (int)command.uid() - 1;
    }

    @Override
    public long numberOf(final OrderCommand command)
    {
        return command.timestampNs() - 1;
    }

    @Override
    public boolean isPoison(final OrderCommand command)
    {
        return false;
    }

    @Override
    public boolean hasPoison()
    {
        return false;
    }

    @Override
    public boolean isExpected(final Throwable failure)
    {
        return false;
    }

    @Override
    public boolean isOnce(final OrderCommand command, final int result)
    {
        return result == CommandResult.SUCCESS.code() && (command.commandType() == CommandType.BALANCE_ADJUSTMENT ||
            command.commandType() == CommandType.ADD_USER);
    }
}
