package io.millrace.exchange.core;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.PriceBand;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.exchange.ExchangeRig;
import io.millrace.journal.Durability;
import io.millrace.journal.Journal;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * From its answers alone each client knows its open orders, what is left of each, and their number: after each command
 * they are those of the books. Random commands of three clients: all order types, self-trade policies and changes,
 * stops that trigger each other, a price band. A failure names its seed. {@code -Dmillrace.seed=} runs
 * that one alone; the long test does not read it.
 */
class OrderAnswersTest
{
    private static final int SEEDS = 16;
    private static final int MANY_SEEDS = 200;
    private static final int COMMANDS = 2_500;
    private static final int REPLAYED_SEEDS = 2;
    private static final int SNAPSHOT_EVERY = 300;
    /** After the replayed commands of seed 1, by version 13 of the core: of all of their answers. */
    private static final String HASH = "ad85e2be813ba1db";
    private static final int CURRENCY = 840;
    private static final int CLIENTS = 3;
    private static final int MAX_OPEN_ORDERS = 12;
    private static final int IDS = 30;
    private static final int SYMBOLS = 2;
    private static final int MIDDLE = 100;
    private static final byte[] TYPES = {OrderType.GTC, OrderType.GTC, OrderType.GTC, OrderType.GTC, OrderType.IOC,
        OrderType.FOK_BUDGET, OrderType.MARKET, OrderType.FOK, OrderType.IOC_BUDGET, OrderType.POST_ONLY,
        OrderType.STOP, OrderType.STOP, OrderType.STOP_LIMIT, OrderType.STOP_LIMIT, OrderType.ICEBERG, OrderType.GTD};

    @TempDir
    private Path folder;

    private final OrderIds ids = new OrderIds(7);
    /** By symbol and the exchange's id: client, its id of the order, open size. */
    private final TreeMap<String, String> open = new TreeMap<>();
    private final int[] counts = new int[CLIENTS + 1];
    private final List<Answer> answers = new ArrayList<>();
    private InVmSource<ExchangeCommand> commands;
    private ExchangeCore core;
    private Server server;
    private Random random;
    private long requests;
    private long timeNs;
    private String given;
    private long givenOrder;

    private static EngineContext withUsers()
    {
        final SymbolTerms terms = SymbolTerms.future(1, CURRENCY, 1, 1, 1_000_000);
        return new EngineContext().risk(new RiskLimits().withUsers(4)).symbol(spec(1), terms).symbol(spec(2), terms);
    }

    private static SymbolSpec spec(final int symbol)
    {
        final SymbolSpec spec =
            SymbolSpec.future(symbol).withOrderCapacity(64).withWindowTicks(64).withPrices(1, 200);
        return symbol == 1 ? spec : spec.withPriceBand(new PriceBand(PriceBand.Policy.STOP, 4, MIDDLE));
    }

    /** An exchange whose clients have logged on. */
    private void launch(final long seed)
    {
        random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        open.clear();
        requests = 0;
        timeNs = 1;
        launch(folder.resolve("j" + seed), new EngineContext().symbol(spec(1)).symbol(spec(2)), 0);
        for (int client = 1; client <= CLIENTS; client++)
        {
            counts[client] = 0;
            give(commands.claim().session(CommandOp.LOGON, (byte)0, client, client, 0, timeNs));
        }
    }

    private void launch(final Path journalFolder, final EngineContext engine, final int snapshotEvery)
    {
        commands = new InVmSource<>(ExchangeCommand::new, 64);
        final InVmSource<Answer> out = new InVmSource<>(Answer::new, 1_024);
        core = new ExchangeCore(engine, ExchangeCore.DEFAULT_WINDOW, ids, out);
        final Journal<ExchangeCommand> journal = core.open(journalFolder, snapshotEvery, settings ->
            settings.watermarkBytes(0).segmentBytes(1 << 20).durability(Durability.OS_CACHE));
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).service(journal)
            .flow("commands", f -> f.from(commands).to("journal", journal.stage()).to("exchange", core, "journal"))
            .flow("executions", f -> f.from(core.executions()).through(Pipelines.direct())
                .to("orders", core.executionHandler()))
            .flow("answers", f -> f.from(out).through(Pipelines.direct())
                .to("read", (answer, sequence, endOfBatch) -> answers.add(new Answer().copyOf(answer)))));
    }

    private void give(final ExchangeCommand command)
    {
        answers.clear();
        given = command + " of client " + command.client();
        givenOrder = ids.toClient(command.orderId());
        commands.publish(command);
        server.invoke();
        server.invoke();
        assertNull(server.failure());
    }

    private void place(
        final int client,
        final long id,
        final byte type,
        final byte side,
        final byte policy,
        final long price,
        final long size,
        final long stopPrice)
    {
        final ExchangeCommand command = commands.claim();
        command.set(CommandType.PLACE, type, side, policy, 1, ids.toEngine(client, id), client, price, size, price,
            stopPrice, timeNs);
        give(command.order(client, MAX_OPEN_ORDERS, ++requests));
    }

    private void run(final long seed)
    {
        launch(seed);
        for (int i = 0; i < COMMANDS; i++)
        {
            try
            {
                final ExchangeCommand command = commands.claim();
                fill(command, 1 + random.nextInt(CLIENTS));
                give(command);
                answers.forEach(this::read);
                assertEquals(books(), open.toString());
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("seed " + seed + ", command " + i + ": " + given + "\n" + answers, ex);
            }
        }
        server.close();
    }

    private void fill(final ExchangeCommand command, final int client)
    {
        timeNs += random.nextInt(4) == 0 ? random.nextInt(30) : 0;
        final int draw = random.nextInt(100);
        final int symbol = 1 + random.nextInt(SYMBOLS);
        long newId = 0;
        byte flags = 0;
        if (draw == 0)
        {
            command.cancelAll(client, random.nextBoolean() ? symbol : ExchangeCommand.ALL_SYMBOLS, ++requests, timeNs);
            return;
        }
        if (draw == 1)
        {
            // The order id of a mass cancel means nothing.
            command.set(CommandType.MASS_CANCEL, (byte)0, Side.BOTH, symbol,
                open.isEmpty() ? 0 : Long.parseLong(open.firstKey().substring(2)), client, 0, 3, 0, timeNs);
        }
        else if (draw == 2)
        {
            command.openOrders(symbol, client).timestampNs(timeNs);
        }
        else if (draw < 55)
        {
            fillPlace(command, client, symbol);
        }
        else
        {
            final byte type = draw < 62 ? CommandType.CANCEL : draw < 70 ? CommandType.REDUCE :
                draw < 80 ? CommandType.MOVE : draw < 90 ? CommandType.REPLACE : CommandType.REPLACE_OPEN;
            newId = draw >= 80 && random.nextInt(3) == 0 ? ids.toEngine(client, 1 + random.nextInt(IDS)) : 0;
            flags = (type == CommandType.REDUCE || type == CommandType.REPLACE) && random.nextInt(3) == 0 ?
                OrderFlags.TO_SIZE : 0;
            fillChange(command, type, client, symbol);
        }
        command.order(client, MAX_OPEN_ORDERS, ++requests).with(flags, newId);
    }

    private void fillPlace(final ExchangeCommand command, final int client, final int symbol)
    {
        final byte type = TYPES[random.nextInt(TYPES.length)];
        final byte side = (byte)random.nextInt(2);
        final byte policy = (byte)(random.nextBoolean() ? 0 : random.nextInt(SelfTradePolicy.DECREMENT + 1));
        final long size = 1 + random.nextInt(12);
        final long price = OrderType.hasBudget(type, side) ? size * price() : price();
        final long parameter = OrderType.isStop(type) ? price() :
            type == OrderType.ICEBERG ? 1 + random.nextInt((int)size) :
            type == OrderType.GTD ? timeNs + random.nextInt(300) : 0;
        command.set(CommandType.PLACE, type, side, policy, symbol, ids.toEngine(client, 1 + random.nextInt(IDS)),
            client, price, size, price, parameter, timeNs);
    }

    /** Mostly of one of the client's open orders. */
    private void fillChange(final ExchangeCommand command, final byte type, final int client, final int symbol)
    {
        final List<String> own = open.keySet().stream().filter(key -> open.get(key).startsWith(client + "/")).toList();
        final String key = own.isEmpty() || random.nextInt(10) == 0 ? null : own.get(random.nextInt(own.size()));
        final long id = key == null ? 1 + random.nextInt(IDS) : Long.parseLong(nameOf(open.get(key)));
        final int of = key == null ? symbol : Integer.parseInt(key.substring(0, 1));
        command.set(type, (byte)0, Side.BID, (byte)0, random.nextInt(5) == 0 ? ExchangeCommand.ALL_SYMBOLS : of,
            ids.toEngine(client, id), client, price(), 1 + random.nextInt(12), 0, 0, timeNs);
    }

    private long price()
    {
        return MIDDLE + random.nextInt(11) - 5;
    }

    /** What a client learns from an answer. */
    private void read(final Answer answer)
    {
        final String key = answer.symbol() + " " + answer.reference();
        final String before = open.get(key);
        switch (answer.kind())
        {
            case AnswerKind.ACCEPTED ->
            {
                assertNull(before, answer::toString);
                assertEquals(answer.size(), answer.openSize());
                assertTrue(++counts[answer.client()] <= MAX_OPEN_ORDERS, "too many open orders");
                open.put(key, text(answer));
            }
            case AnswerKind.EXECUTED, AnswerKind.CANCELLED ->
            {
                assertEquals(before, text(answer.client(), answer.orderId(), answer.openSize() + answer.size()),
                    answer::toString);
                assertEquals(answer.isCompleted(), answer.openSize() == 0, answer::toString);
                open.put(key, text(answer));
                if (answer.isCompleted())
                {
                    open.remove(key);
                    counts[answer.client()]--;
                }
            }
            case AnswerKind.REPLACED ->
            {
                assertTrue(before.startsWith(answer.client() + "/" + answer.contra() + ":"), answer::toString);
                open.put(key, text(answer));
            }
            case AnswerKind.TRIGGERED, AnswerKind.ORDER -> assertEquals(before, text(answer), answer::toString);
            case AnswerKind.REJECTED ->
            {
                final boolean isPlace = answer.contra() == CommandType.PLACE;
                assertEquals(givenOrder, answer.orderId(), answer::toString);
                assertEquals(isPlace && answer.reason() == AnswerReason.OPEN_ORDERS_LIMIT,
                    isPlace && counts[answer.client()] >= MAX_OPEN_ORDERS, answer::toString);
            }
            default ->
            {
                assertEquals(AnswerKind.DONE, answer.kind());
                assertEquals(answers.stream().filter(each -> each.kind() == AnswerKind.ORDER ||
                    each.kind() == AnswerKind.CANCELLED && each.reason() == AnswerReason.MASS_CANCEL).count(),
                    answer.size(), answer::toString);
            }
        }
    }

    private static String text(final Answer answer)
    {
        return text(answer.client(), answer.orderId(), answer.openSize());
    }

    private static String text(final long client, final long id, final long size)
    {
        return client + "/" + id + ": " + size;
    }

    private static String nameOf(final String order)
    {
        return order.substring(order.indexOf('/') + 1, order.indexOf(':'));
    }

    /** The orders of the books. Only the clients know the new ids. */
    private String books()
    {
        final TreeMap<String, String> found = new TreeMap<>();
        for (int symbol = 1; symbol <= SYMBOLS; symbol++)
        {
            final OrderBook book = core.engine().book(symbol);
            final String of = symbol + " ";
            final OrderConsumer each = (id, uid, side, price, size, filled, reserve) ->
                found.put(of + id, uid + "/" + nameOf(open.getOrDefault(of + id, "?/?:")) + ": " + (size - filled));
            book.forEachOrder(Side.BID, each);
            book.forEachOrder(Side.ASK, each);
            book.forEachStop(each);
        }
        return found.toString();
    }

    @Test
    void shouldReportEachClientItsOpenOrders()
    {
        final Long only = Long.getLong("millrace.seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? SEEDS : only); seed++)
        {
            run(seed);
        }
    }

    @Test
    @Tag("faults")
    void shouldReportEachClientItsOpenOrdersOverHalfAMillionCommands()
    {
        for (long seed = 1; seed <= MANY_SEEDS; seed++)
        {
            run(seed);
        }
    }

    /**
     * A replay must give the same answers from each snapshot, or later ones have other numbers than their clients know.
     */
    @Test
    void shouldReplayTheSameAnswersFromEachSnapshot() throws IOException
    {
        for (long seed = 1; seed <= REPLAYED_SEEDS; seed++)
        {
            replayFromEachSnapshot(seed);
        }
    }

    private void launchWithUsers(final Path journal, final int snapshotEvery)
    {
        requests = 0;
        timeNs = 1;
        launch(journal, withUsers(), snapshotEvery);
        for (int client = 1; client <= CLIENTS; client++)
        {
            give(commands.claim().<ExchangeCommand>addUser(client).order(client, 0, ++requests));
            give(commands.claim().<ExchangeCommand>adjustBalance(client, CURRENCY, 1_000_000, 1)
                .order(client, 0, ++requests));
        }
    }

    private void replayFromEachSnapshot(final long seed) throws IOException
    {
        random = new Random(seed);
        final Path journal = folder.resolve("replay" + seed);
        launchWithUsers(journal, SNAPSHOT_EVERY);
        for (int i = 0; i < COMMANDS; i++)
        {
            final int client = 1 + random.nextInt(CLIENTS);
            final ExchangeCommand command = commands.claim();
            switch (random.nextInt(16))
            {
                case 0 -> command.<ExchangeCommand>userReport(client).order(client, 0, ++requests).timestampNs(timeNs);
                case 1 -> command.<ExchangeCommand>orderBook(1 + random.nextInt(SYMBOLS), 5)
                    .order(client, 0, ++requests).timestampNs(timeNs);
                case 2 -> command.<ExchangeCommand>totalsReport().order(client, 0, ++requests).timestampNs(timeNs);
                case 3 -> command.session(random.nextInt(4) == 0 ? CommandOp.END : CommandOp.LOGON,
                    random.nextInt(8) == 0 ? LogonFlags.CANCEL_ON_DISCONNECT : 0, client, client, 0, timeNs);
                default -> fill(command, client);
            }
            give(command);
        }
        server.close();
        final long hash = core.stateHash();
        if (seed == 1)
        {
            assertEquals(HASH, Long.toHexString(hash), "these commands had another result before: raise " +
                "ExchangeCore.VERSION, so that journals from before are refused, and set HASH");
        }
        final List<Path> snapshots;
        try (Stream<Path> files = Files.list(journal))
        {
            snapshots = files.filter(file -> file.toString().endsWith(".snap")).sorted().toList();
        }
        assertTrue(snapshots.size() > 1, snapshots::toString);
        for (int i = snapshots.size(); i >= 0; i--)
        {
            launch(journal, withUsers(), 0);
            server.close();
            assertEquals(hash, core.stateHash(), "seed " + seed + " from snapshot " + i + " of " + snapshots);
            if (i > 0)
            {
                Files.delete(snapshots.get(i - 1));
            }
        }
    }

    /** After its own trades an order rests: then the book knows what is left of it. */
    @Test
    void shouldCompleteAnOrderWhoseRestTheStopsOfItsCommandTake()
    {
        launch(1);
        place(2, 1, OrderType.STOP, Side.ASK, SelfTradePolicy.ALLOW, 0, 3, 100);
        place(1, 1, OrderType.STOP, Side.ASK, SelfTradePolicy.CANCEL_OLDEST, 0, 5, 100);
        place(2, 2, OrderType.GTC, Side.ASK, SelfTradePolicy.ALLOW, 100, 2, 0);
        place(1, 2, OrderType.GTC, Side.BID, SelfTradePolicy.ALLOW, 100, 10, 0);
        assertEquals(List.of(
            "2 r4 ACCEPTED order 2 10@100 open 10",
            "3 r4 EXECUTED order 2 2@100 open 8 trade 1",
            "4 r0 EXECUTED order 2 3@100 open 5 maker trade 2",
            "5 r0 TRIGGERED order 1 0@100 open 5",
            "6 r0 CANCELLED order 1 5@0 open 0 NO_LIQUIDITY completed",
            "7 r4 CANCELLED order 2 5@100 open 0 SELF_TRADE completed"),
            answers.stream().filter(answer -> answer.client() == 1).map(ExchangeRig::text).toList());
        server.close();
    }

    @Test
    void shouldReportDirectionAndOpenBidsOfAPositionAndTheAdjustedTotal()
    {
        launchWithUsers(folder.resolve("rows"), 0);
        give(commands.claim().session(CommandOp.LOGON, (byte)0, 1, 1, 0, timeNs));
        place(2, 1, OrderType.GTC, Side.BID, SelfTradePolicy.ALLOW, 100, 5, 0);
        place(1, 1, OrderType.GTC, Side.ASK, SelfTradePolicy.ALLOW, 100, 3, 0);
        give(commands.claim().<ExchangeCommand>userReport(1).order(1, 0, ++requests));
        assertEquals(-3, answers.get(1).size());
        give(commands.claim().<ExchangeCommand>userReport(2).order(1, 0, ++requests));
        assertEquals(List.of(3L, 2L), List.of(answers.get(1).size(), answers.get(1).tradeId()));
        give(commands.claim().<ExchangeCommand>totalsReport().order(1, 0, ++requests));
        assertEquals(CLIENTS * 1_000_000, answers.get(0).orderId());
        server.close();
    }
}
