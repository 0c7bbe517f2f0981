package io.millrace.exchange.fix;

import com.sun.management.ThreadMXBean;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeContext;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.Listing;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A client that has forgotten its executions, or was away too long; amounts that no long holds. */
@Timeout(180)
class FixResumeTest
{
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final SymbolSpec GOLD = SymbolSpec.future(ExchangeRig.SYMBOL).withPrices(1, 1_000_000)
        .withOrderCapacity(32_768).withWindowTicks(1_024);
    private static final int WINDOW = 64;
    private static final int REFUSED = 8;
    /** Less than one state of a client. */
    private static final int STATE_BYTES = 1 << 20;

    @TempDir
    private Path folder;

    private Exchange launch()
    {
        return launch(GOLD, 1);
    }

    private static SessionContext sessions()
    {
        return ExchangeRig.withoutTimeLimits().heartbeatNs(TimeUnit.HOURS.toNanos(1))
            .client(new ClientAccount(1, "ANNA", "token-of-anna", Role.TRADER, ClientAccount.NO_RATE_LIMIT,
                2 * FixState.ORDERS))
            .client(new ClientAccount(2, "BERT", "token-of-bert", Role.TRADER));
    }

    private Exchange launch(final SymbolSpec gold, final long sharesPerLot)
    {
        return launch(gold, sharesPerLot, sessions());
    }

    private Exchange launch(final SymbolSpec gold, final long sharesPerLot, final SessionContext sessions)
    {
        return Exchange.launch(new ExchangeContext(folder, new EngineContext().symbol(gold), sessions).window(WINDOW)
            .idle(() -> new SleepingMillisIdleStrategy(1))
            .journal(journal -> journal.segmentBytes(1 << 20).watermarkBytes(0))
            .protocol(new FixProtocol("MILL", List.of(new Listing(gold, "GOLD", 100, sharesPerLot)), false), LOOPBACK));
    }

    /** The times of commands are of another clock, which does not go back when the system's does. */
    @Test
    void shouldSendNoOrigSendingTimeThatIsLaterThanTheSendingTime() throws IOException
    {
        final EpochNanoClock ahead = () -> SystemEpochNanoClock.INSTANCE.nanoTime() + TimeUnit.HOURS.toNanos(1);
        try (Exchange exchange = launch(GOLD, 1, sessions().epochClock(ahead));
            FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            anna.enter(1, 1, "100", "5");
            assertEquals(List.of("A", "8"), anna.nextAll(2));
            anna.send("2", "7=1|16=0|");
            for (final String type : List.of("4", "8"))
            {
                final String[] fields = anna.next(43, 52, 122).split(" 43=Y 52=| 122=");
                assertEquals(type, fields[0]);
                assertTrue(fields[1].compareTo(fields[2]) >= 0, () -> String.join(" ", fields));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldCountAnExecutionOnceWhenItIsAskedForAgain() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            try (FixSocket anna = new FixSocket(exchange, "ANNA", ""))
            {
                anna.enter(1, 1, "100", "5");
                assertEquals("A 141=Y", anna.next(141));
                assertEquals("8 17=1 150=0 14=0 151=100", anna.next(17, 150, 14, 151));
                bert.enter(1, 2, "30", "5");
                assertEquals("8 17=2 150=F 14=30 151=70 6=5.0000", anna.next(17, 150, 14, 151, 6));
            }
            try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=1|"))
            {
                assertEquals("A 141=Y", anna.next(141));
                assertEquals("8 17=1 150=0 14=0 151=100", anna.next(17, 150, 14, 151));
                assertEquals("8 17=2 150=F 14=30 151=70 6=5.0000", anna.next(17, 150, 14, 151, 6));
                bert.enter(2, 2, "20", "5");
                assertEquals("8 17=3 150=F 14=50 151=50 6=5.0000", anna.next(17, 150, 14, 151, 6));
            }
            assertNull(exchange.server().failure());
        }
    }

    /** Its table of open orders is full: the last two are not in it. */
    @Test
    @Tag("slow")
    void shouldSayWhatIsLeftOfOrdersThatItCannotCount() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", "");
            FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            assertEquals("A", anna.next());
            assertEquals("A", bert.next());
            for (int first = 1; first <= FixState.ORDERS; first += WINDOW / 2)
            {
                for (int id = first; id < first + WINDOW / 2; id++)
                {
                    anna.enter(id, 1, "1", "5");
                }
                for (int id = first; id < first + WINDOW / 2; id++)
                {
                    assertEquals("8 11=" + id + " 150=0 151=1", anna.next(11, 150, 151));
                }
            }
            final int id = FixState.ORDERS + 1;
            anna.enter(id, 1, "100", "6");
            assertEquals("8 150=0 38=100 14=0 151=100", anna.next(150, 38, 14, 151));
            bert.enter(1, 2, "30", "6");
            assertEquals("8 150=F 38=100 14=30 151=70", anna.next(150, 38, 14, 151));
            anna.send("G", "41=" + id + "|11=" + (id + 1) + "|55=GOLD|54=1|38=95|40=2|44=6|");
            assertEquals("8 150=5 38=65 14=0 151=65", anna.next(150, 38, 14, 151));
            bert.enter(2, 2, "20", "6");
            assertEquals("8 150=F 38=65 14=20 151=45", anna.next(150, 38, 14, 151));
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldSayFromWhichExecutionOnAClientMayLogOn() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            try (FixSocket anna = new FixSocket(exchange, "ANNA", ""))
            {
                anna.enter(1, 1, "1000", "5");
                assertEquals("A", anna.next());
                assertEquals("8 17=1", anna.next(17));
            }
            assertEquals("A", bert.next());
            for (int id = 1; id <= 2 * WINDOW; id++)
            {
                bert.enter(id, 2, "1", "5");
                assertEquals("8 150=0", bert.next(150));
                assertEquals("8 150=F", bert.next(150));
            }
            final int oldest = 1 + 2 * WINDOW - WINDOW + 1;
            try (FixSocket anna = new FixSocket(exchange, "ANNA", ""))
            {
                assertEquals("5 34=1 58=executions from 2 on are no longer kept, but from " + oldest + " on",
                    anna.next(34, 58));
                assertEquals(-1, anna.socket.getInputStream().read());
            }
            // Without a reset the messages of both sides are counted.
            for (int number = 3; number <= 4; number++)
            {
                try (FixSocket anna = new FixSocket(exchange, "ANNA", number - 1, ""))
                {
                    assertEquals("5 34=" + number + " 58=executions from 2 on are no longer kept, but from " + oldest +
                        " on", anna.next(34, 58));
                    assertEquals(-1, anna.socket.getInputStream().read());
                }
            }
            try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=" + oldest + "|"))
            {
                assertEquals("A 141=Y", anna.next(141));
                // The 64 executions before were left out: CumQty counts from here. What is left is right.
                assertEquals("8 17=66 150=F 14=1 151=935", anna.next(17, 150, 14, 151));
                assertEquals("8 17=67 150=F 14=2 151=934", anna.next(17, 150, 14, 151));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldRefuseALogonFromAnExecutionThatWasNotGivenYetAndKeepNothing() throws IOException
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (Exchange exchange = launch())
        {
            final long agent = Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().endsWith("entry")).findFirst().orElseThrow().getId();
            final long before = threads.getThreadAllocatedBytes(agent);
            for (int i = 0; i < REFUSED; i++)
            {
                try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=5|"))
                {
                    assertEquals("5 34=1 58=execution 5 was not given yet, the next one is 1", anna.next(34, 58));
                    assertEquals(-1, anna.socket.getInputStream().read());
                }
            }
            final long allocated = threads.getThreadAllocatedBytes(agent) - before;
            assertTrue(allocated < STATE_BYTES, () -> allocated + " bytes for " + REFUSED + " refused logons");
            try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=1|"))
            {
                anna.enter(1, 1, "100", "5");
                assertEquals("A 34=1", anna.next(34));
                assertEquals("8 34=2 17=1 150=0", anna.next(34, 17, 150));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldRefuseALogonFromAnExecutionThatIsNoNumberAndKeepNothing() throws IOException
    {
        final List<String> wrong = List.of("x", "-1", "1.0", "9223372036854775808", "9".repeat(100));
        try (Exchange exchange = launch())
        {
            for (final String first : wrong)
            {
                try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=" + first + "|"))
                {
                    assertEquals("5 34=1 58=ExecID " + first.substring(0, Math.min(32, first.length())) +
                        " is not in 0..9223372036854775807", anna.next(34, 58));
                    assertEquals(-1, anna.socket.getInputStream().read());
                }
            }
            try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=0|"))
            {
                anna.enter(1, 1, "100", "5");
                assertEquals("A 34=1", anna.next(34));
                assertEquals("8 34=2 17=1 150=0", anna.next(34, 17, 150));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldCountFromTheExecutionThatAClientLogsOnWith() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            try (FixSocket anna = new FixSocket(exchange, "ANNA", ""))
            {
                anna.enter(1, 1, "10", "6");
                anna.enter(2, 1, "100", "5");
                assertEquals("A 141=Y", anna.next(141));
                assertEquals("8 17=1 150=0 14=0 151=10", anna.next(17, 150, 14, 151));
                assertEquals("8 17=2 150=0 14=0 151=100", anna.next(17, 150, 14, 151));
            }
            assertEquals("A", bert.next());
            bert.enter(1, 2, "10", "6");
            bert.enter(2, 2, "30", "5");
            for (int i = 1; i <= 2; i++)
            {
                assertEquals("8 150=0", bert.next(150));
                assertEquals("8 150=F", bert.next(150));
            }
            try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=5|"))
            {
                assertEquals("A 141=Y", anna.next(141));
                // Its end was left out.
                anna.send("H", "11=1|55=GOLD|54=1|");
                assertEquals("8 17=0 150=I 39=8 14=0 151=0", anna.next(17, 150, 39, 14, 151));
                bert.enter(3, 2, "20", "5");
                assertEquals("8 17=5 150=F 14=20 151=50", anna.next(17, 150, 14, 151));
            }
            try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=1|"))
            {
                assertEquals("A 141=Y", anna.next(141));
                assertEquals("8 17=1 150=0 14=0 151=10", anna.next(17, 150, 14, 151));
                assertEquals("8 17=2 150=0 14=0 151=100", anna.next(17, 150, 14, 151));
                assertEquals("8 17=3 150=F 14=10 151=0", anna.next(17, 150, 14, 151));
                assertEquals("8 17=4 150=F 14=30 151=70", anna.next(17, 150, 14, 151));
                assertEquals("8 17=5 150=F 14=50 151=50", anna.next(17, 150, 14, 151));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldAddUpWhatAnOrderTradesAfterExecutionsThatWereLeftOut() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            try (FixSocket anna = new FixSocket(exchange, "ANNA", ""))
            {
                anna.enter(1, 1, "100", "5");
                anna.enter(2, 1, "100", "4");
                assertEquals("A", anna.next());
                assertEquals("8 17=1", anna.next(17));
                assertEquals("8 17=2", anna.next(17));
            }
            assertEquals("A", bert.next());
            bert.enter(1, 2, "10", "5");
            assertEquals("8 150=0", bert.next(150));
            assertEquals("8 150=F", bert.next(150));
            try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=4|"))
            {
                assertEquals("A", anna.next());
                anna.send("G", "41=1|11=3|55=GOLD|54=1|38=95|40=2|44=5|");
                assertEquals("8 150=5 38=85 14=0 151=85", anna.next(150, 38, 14, 151));
                bert.enter(2, 2, "30", "5");
                assertEquals("8 150=F 38=85 14=30 151=55", anna.next(150, 38, 14, 151));
                bert.enter(3, 2, "20", "5");
                assertEquals("8 150=F 38=85 14=50 151=35", anna.next(150, 38, 14, 151));
                anna.send("G", "41=3|11=4|55=GOLD|54=1|38=80|40=2|44=6|");
                assertEquals("8 150=5 38=70 14=50 151=20", anna.next(150, 38, 14, 151));
                bert.enter(4, 2, "20", "6");
                assertEquals("8 150=F 38=70 14=70 151=0 6=5.2857", anna.next(150, 38, 14, 151, 6));
                bert.enter(5, 2, "30", "4");
                assertEquals("8 150=F 38=100 14=30 151=70", anna.next(150, 38, 14, 151));
                bert.enter(6, 2, "20", "4");
                assertEquals("8 150=F 38=100 14=50 151=50", anna.next(150, 38, 14, 151));
                anna.send("H", "11=2|55=GOLD|54=1|");
                assertEquals("8 150=I 39=1 38=100 14=50 151=50", anna.next(150, 39, 38, 14, 151));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldAverageAmountsThatExceedALong() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", "");
            FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            assertEquals("A", anna.next());
            anna.enter(1, 1, "20000000000000", "10000");
            assertEquals("8 150=0", anna.next(150));
            bert.enter(1, 2, "12000000000000", "10000");
            assertEquals("8 14=12000000000000 6=10000.0000", anna.next(14, 6));
            bert.enter(2, 2, "8000000000000", "10000");
            assertEquals("8 14=20000000000000 6=10000.0000", anna.next(14, 6));
            assertNull(exchange.server().failure());
        }
    }

    /** By the binary protocol, prices and sizes may be so great that their units exceed 2^63. */
    @Test
    void shouldReportPricesAndSharesThatExceedALong() throws IOException
    {
        final SymbolSpec gold = SymbolSpec.future(ExchangeRig.SYMBOL).withOrderCapacity(16);
        try (Exchange exchange = launch(gold, 1_000))
        {
            try (Trader binary = new Trader(exchange, "ANNA", "token-of-anna", false))
            {
                binary.limit(1, Side.BID, gold.maxPrice(), gold.maxSize());
            }
            try (FixSocket anna = new FixSocket(exchange, "ANNA", "20001=1|");
                FixSocket bert = new FixSocket(exchange, "BERT", ""))
            {
                assertEquals("A", anna.next());
                assertEquals("8 150=0 38=576460752303423487000 44=92233720368547758.0600 " +
                    "151=576460752303423487000 14=0", anna.next(150, 38, 44, 151, 14));
                anna.send("H", "11=1|55=GOLD|54=1|");
                assertEquals("8 150=I 38=576460752303423487000 151=576460752303423487000 14=0 6=0.0000",
                    anna.next(150, 38, 151, 14, 6));
                assertEquals("A", bert.next());
                bert.enter(1, 2, "5000", "1");
                assertEquals("8 150=0", bert.next(150));
                assertEquals("8 150=F 31=92233720368547758.0600 32=5000 14=5000 151=0 6=92233720368547758.0800",
                    bert.next(150, 31, 32, 14, 151, 6));
                assertEquals("8 150=F 31=92233720368547758.0600 38=576460752303423487000 151=576460752303423482000",
                    anna.next(150, 31, 38, 151));
            }
            assertNull(exchange.server().failure());
        }
    }
}
