package io.millrace.exchange.session;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.codec.CommandDescriptor;
import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.service.OrderCommand;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeContext;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static io.millrace.exchange.ExchangeRig.counter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Limits of a session: open orders, rate, disk, time; and of connects. */
class SessionLimitsTest
{
    private static final int WINDOW = 64;
    private static final int REPORTS = 10;
    /** Of the order; of each mass cancel; of each other report. */
    private static final int ANSWERS = 1 + REPORTS / 2 + REPORTS / 2 * 2;

    @TempDir
    private Path folder;

    private Exchange launch(final SessionContext sessions)
    {
        return Exchange.launch(ExchangeRig.context(folder, sessions).window(WINDOW));
    }

    @Test
    void shouldLimitOpenOrdersAndCountThem()
    {
        final SessionContext sessions = ExchangeRig.withoutTimeLimits().client(new ClientAccount(
            1, "trader1", ExchangeRig.TOKEN + 1, Role.TRADER, ClientAccount.NO_RATE_LIMIT, 2))
            .client(new ClientAccount(2, "trader2", ExchangeRig.TOKEN + 2, Role.TRADER));
        try (Exchange exchange = launch(sessions); Trader one = new Trader(exchange, "trader1");
            Trader two = new Trader(exchange, "trader2"))
        {
            one.limit(1, Side.ASK, 100, 1);
            one.limit(2, Side.ASK, 100, 1);
            one.limit(3, Side.ASK, 100, 1);
            two.limit(1, Side.BID, 100, 1);
            one.lines(4);
            one.limit(4, Side.ASK, 100, 1);
            one.client.cancelAll(ExchangeCommand.ALL_SYMBOLS);
            one.poll(() -> one.client.unanswered() == 0);
            one.lines(8);
            one.limit(5, Side.ASK, 100, 1);
            one.limit(6, Side.ASK, 100, 1);
            assertEquals("3 r3 REJECTED order 3 1@100 open 0 OPEN_ORDERS_LIMIT", one.lines.get(2));
            assertEquals("5 r4 ACCEPTED order 4 1@100 open 1", one.lines.get(4));
            assertEquals("8 r5 DONE order 0 2@0 open 0", one.lines.get(7));
            assertEquals("10 r7 ACCEPTED order 6 1@100 open 1", one.lines.get(9));
        }
    }

    /** The socket takes them before the output is full for good. */
    @Test
    void shouldDeliverMoreAnswersOfACommandThanOutputAndWindowHold()
    {
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, ExchangeRig.sessions().outputBytes(4_096))
            .window(WINDOW).agents(1)); Trader one = new Trader(exchange, "trader1"))
        {
            for (int i = 1; i <= 4 * WINDOW; i++)
            {
                one.limit(i, Side.BID, 100, 1);
            }
            one.client.cancelAll(ExchangeCommand.ALL_SYMBOLS);
            one.poll(() -> one.ended != null || one.lines.get(one.lines.size() - 1).contains("DONE"));
            assertNull(one.ended);
            assertEquals(8 * WINDOW + 1, one.lines.size());
        }
    }

    /** Each may read all orders of the client. */
    @Test
    @Timeout(120)
    void shouldTakeOneReportOfAClientInADutyCycle() throws IOException
    {
        final byte[] stream = new byte[(REPORTS + 1) * CommandDescriptor.REQUEST_LENGTH];
        final OrderCommand command = new OrderCommand().limit(ExchangeRig.SYMBOL, 1, 0, Side.BID, 100, 1);
        for (int i = 0; i <= REPORTS; i++)
        {
            if (i > 0)
            {
                command.openOrders(ExchangeRig.SYMBOL, 1);
            }
            if (i % 2 == 1)
            {
                command.massCancel(ExchangeRig.SYMBOL, 1, Side.ASK);
            }
            command.correlation(i + 1);
            new OrderCommandCodec().encode(command, new ByteView(stream), i * CommandDescriptor.REQUEST_LENGTH);
        }
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, ExchangeRig.sessions()).agents(1)
            .server(server -> server.threadingMode(ThreadingMode.INVOKER)));
            RawClient client = new RawClient(exchange.port()))
        {
            client.logOn("trader1", ExchangeRig.TOKEN + 1, 0, 0);
            while (client.socket.getInputStream().available() == 0)
            {
                exchange.server().invoke();
            }
            assertNotNull(client.readUntilLogon());
            client.send(stream);
            long taken = 0;
            for (long before = 0; taken <= REPORTS; before = taken)
            {
                exchange.server().invoke();
                taken = counter(exchange, "commands");
                assertTrue(taken <= Math.max(2, before + 1), before + " became " + taken);
            }
            while (counter(exchange, "delivered") < ANSWERS)
            {
                exchange.server().invoke();
            }
            exchange.server().invoke();
            final List<String> lines = client.answers(ANSWERS);
            assertEquals("1 r1 ACCEPTED order 1 1@100 open 1", lines.get(0));
            assertTrue(lines.get(ANSWERS - 1).startsWith("16 r11 DONE"), lines::toString);
        }
    }

    @Test
    void shouldNotCountAnOpenOrderThatIsDue()
    {
        final AtomicLong nowNs = new AtomicLong(1_000);
        final SessionContext sessions = ExchangeRig.withoutTimeLimits().epochClock(nowNs::get).client(new ClientAccount(
            1, "trader1", ExchangeRig.TOKEN + 1, Role.TRADER, ClientAccount.NO_RATE_LIMIT, 1));
        try (Exchange exchange = launch(sessions); Trader one = new Trader(exchange, "trader1"))
        {
            one.client.command().goodTillDate(ExchangeRig.SYMBOL, 1, 0, Side.ASK, 100, 1, 2_000);
            one.sendAndWait();
            one.limit(2, Side.ASK, 100, 1);
            nowNs.set(2_000);
            one.limit(3, Side.ASK, 100, 1);
            one.limit(4, Side.ASK, 100, 1);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 1@100 open 1",
                "2 r2 REJECTED order 2 1@100 open 0 OPEN_ORDERS_LIMIT",
                "3 r0 CANCELLED order 1 1@100 open 0 EXPIRY completed",
                "4 r3 ACCEPTED order 3 1@100 open 1",
                "5 r4 REJECTED order 4 1@100 open 0 OPEN_ORDERS_LIMIT"), one.lines(5));
        }
    }

    /** A due order of any client expires before the command. */
    @Test
    void shouldNotCountAnOrderThatIsDueAsCancelledOrAsARow()
    {
        final AtomicLong nowNs = new AtomicLong(1_000);
        try (Exchange exchange = launch(ExchangeRig.sessions().epochClock(nowNs::get));
            Trader one = new Trader(exchange, "trader1"); Trader two = new Trader(exchange, "trader2"))
        {
            one.limit(1, Side.ASK, 100, 1);
            two.client.command().goodTillDate(ExchangeRig.SYMBOL, 1, 0, Side.ASK, 100, 1, 2_000);
            two.sendAndWait();
            two.client.command().goodTillDate(ExchangeRig.SYMBOL, 2, 0, Side.ASK, 100, 1, 3_000);
            two.sendAndWait();
            nowNs.set(2_000);
            one.client.command().orderBook(ExchangeRig.SYMBOL, 10);
            one.sendAndWait();
            nowNs.set(3_000);
            one.client.cancelAll(ExchangeRig.SYMBOL);
            one.poll(() -> one.client.unanswered() == 0);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 1@100 open 1",
                "2 r2 LEVEL order 0 2@100 open 2",
                "3 r2 DONE order 0 1@0 open 0",
                "4 r3 CANCELLED order 1 1@100 open 0 MASS_CANCEL completed",
                "5 r3 DONE order 0 1@0 open 0"), one.lines(5));
            assertEquals("3 r0 CANCELLED order 1 1@100 open 0 EXPIRY completed", two.lines(3).get(2));
        }
    }

    /** The answer to a refused request is in the journal, too: it would fill the disk. */
    @Test
    void shouldEndASessionWhoseRequestIsRefusedWhenTheDiskIsNearlyFull()
    {
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, ExchangeRig.sessions())
            .journal(journal -> journal.segmentBytes(1 << 18).watermarkBytes(Long.MAX_VALUE)));
            Trader one = new Trader(exchange, "trader1"))
        {
            ExchangeRig.await(() -> exchange.journal().isDiskLow());
            one.client.command().limit(ExchangeRig.SYMBOL, 1L << 48, 0, Side.ASK, 100, 1);
            one.client.send();
            one.poll(() -> one.ended != null || !one.lines.isEmpty());
            assertEquals(List.of(), one.lines);
            assertEquals(EndReason.DISK_LOW, one.ended);
        }
    }

    @Test
    void shouldNotReadAClientBeyondItsRate()
    {
        final SessionContext sessions = ExchangeRig.withoutTimeLimits().client(new ClientAccount(
            1, "trader1", ExchangeRig.TOKEN + 1, Role.TRADER, 100, 10));
        try (Exchange exchange = launch(sessions); Trader one = new Trader(exchange, "trader1"))
        {
            final long beginNs = System.nanoTime();
            for (int i = 1; i <= 40; i++)
            {
                one.client.command().cancel(ExchangeRig.SYMBOL, i, 0);
                one.client.send();
            }
            one.poll(() -> one.client.unanswered() == 0);
            assertEquals(40, one.lines.size());
            // Ten at once, the others one by one: never earlier.
            assertTrue(System.nanoTime() - beginNs >= TimeUnit.MILLISECONDS.toNanos(290));
        }
    }

    /** After a pause a tenth of a second's commands may come at once, as at the beginning. */
    @Test
    void shouldNotSaveUpTheRateOfAPause()
    {
        final AtomicLong clock = new AtomicLong();
        final AtomicLong reads = new AtomicLong();
        final SessionContext sessions = counted(ExchangeRig.withoutTimeLimits(), clock, reads)
            .client(new ClientAccount(1, "trader1", ExchangeRig.TOKEN + 1, Role.TRADER, 100, 10));
        try (Exchange exchange = launch(sessions); Trader one = new Trader(exchange, "trader1"))
        {
            clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
            // A cycle that began before the pause must not read the first commands.
            awaitCycle(reads);
            for (int i = 1; i <= 40; i++)
            {
                one.client.command().cancel(ExchangeRig.SYMBOL, i, 0);
                one.client.send();
            }
            one.poll(() -> one.lines.size() == 40 ||
                counter(exchange, "throttled") > 0);
            assertEquals(10, counter(exchange, "commands"));
            one.poll(() ->
            {
                clock.addAndGet(TimeUnit.MICROSECONDS.toNanos(100));
                return one.client.unanswered() == 0;
            });
            assertTrue(clock.get() >= TimeUnit.MILLISECONDS.toNanos(2_290));
        }
    }

    @Test
    @Tag("slow")
    void shouldEndIdleSessionsAndConnectionsWithoutLogonButNotHeartbeats()
    {
        final AtomicLong clock = new AtomicLong();
        final AtomicLong reads = new AtomicLong();
        final SessionContext sessions = counted(ExchangeRig.sessions(), clock, reads)
            .idleTimeoutNs(TimeUnit.SECONDS.toNanos(4)).logonTimeoutNs(TimeUnit.SECONDS.toNanos(2))
            .heartbeatNs(TimeUnit.MILLISECONDS.toNanos(50));
        try (Exchange exchange = launch(sessions); Trader one = new Trader(exchange, "trader1");
            Trader two = new Trader(exchange, "trader2"); RawClient silent = new RawClient(exchange.port()))
        {
            ExchangeRig.await(() -> counter(exchange, "connections") == 3);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
            assertEquals(EndReason.LOGON_TIMEOUT, silent.end());
            two.client.heartbeat();
            two.poll(() -> true);
            awaitCycle(reads);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
            one.poll(() -> one.ended != null);
            assertEquals(EndReason.IDLE, one.ended);
            two.cancel(1);
            assertNull(two.ended);
        }
    }

    /** The exchange owes the answer, for example while its disk stalls. */
    @Test
    void shouldEndNoConnectionWhoseLogonTheCoreHasNotAnswered()
    {
        final AtomicLong clock = new AtomicLong();
        final AtomicLong reads = new AtomicLong();
        final AtomicBoolean isStopped = new AtomicBoolean();
        final AtomicBoolean goesOn = new AtomicBoolean();
        final EngineContext engine = ExchangeRig.engineThatStops(isStopped, goesOn);
        final SessionContext sessions =
            counted(ExchangeRig.sessions(), clock, reads).logonTimeoutNs(TimeUnit.SECONDS.toNanos(2));
        try (Exchange exchange = Exchange.launch(new ExchangeContext(folder, engine, sessions).agents(2)
            .idle(() -> new SleepingIdleStrategy(1_000_000)).journal(journal -> journal.watermarkBytes(0)));
            Trader admin = new Trader(exchange, "admin"); RawClient one = new RawClient(exchange.port()))
        {
            try
            {
                admin.client.command().addSymbol(ExchangeRig.spec(3), null);
                admin.client.send();
                admin.poll(isStopped::get);
                final long published = exchange.server().counters().value("commands.published");
                one.logOn("trader1", ExchangeRig.TOKEN + 1, 0, 0);
                ExchangeRig.await(() -> exchange.server().counters().value("commands.published") > published);
                clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
                awaitCycle(reads);
            }
            finally
            {
                goesOn.set(true);
            }
            one.place(1, 1, Side.ASK, 100, 10);
            assertEquals(List.of("1 r1 ACCEPTED order 1 10@100 open 10"), one.answers(1));
        }
    }

    /** Also when the clock has wrapped after the last connect. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 30_000_000_000L})
    void shouldBoundAStormOfConnects(final long firstNs)
    {
        final long originNs = System.nanoTime();
        final AtomicLong skippedNs = new AtomicLong(firstNs);
        final SessionContext sessions = ExchangeRig.sessions().connectsPerSecond(50).maxConnections(200)
            .clock(() -> System.nanoTime() - originNs + skippedNs.get());
        final List<RawClient> storm = new ArrayList<>();
        try (Exchange exchange = launch(sessions); Trader two = new Trader(exchange, "trader2"))
        {
            skippedNs.addAndGet(TimeUnit.MINUTES.toNanos(1));
            final long beginNs = System.nanoTime();
            for (int i = 0; i < 60; i++)
            {
                storm.add(new RawClient(exchange.port()));
            }
            two.cancel(1);
            ExchangeRig.await(() -> counter(exchange, "accepted") == 61);
            // 17 at once, then 50 a second.
            assertTrue(System.nanoTime() - beginNs > TimeUnit.MILLISECONDS.toNanos(400));
            assertEquals(1, two.lines.size());
        }
        finally
        {
            storm.forEach(RawClient::close);
        }
    }

    private static SessionContext counted(
        final SessionContext sessions, final AtomicLong clock, final AtomicLong reads)
    {
        return sessions.clock(() ->
        {
            reads.incrementAndGet();
            return clock.get();
        });
    }

    /** A whole one: the clock is read at the begin of each. */
    private static void awaitCycle(final AtomicLong reads)
    {
        final long before = reads.get();
        ExchangeRig.await(() -> reads.get() >= before + 2);
    }
}
