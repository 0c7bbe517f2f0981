package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Test;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * Runtime dependencies of the engine's artifact: the JDK alone for book and risk, also Millrace's own classes for
 * codecs. Each program runs in a class loader that sees the JDK, the engine's classes, and the jars that the test
 * names.
 */
class JdkAloneTest
{
    /** A book, and an engine with users. */
    public static final class BookAndRisk implements Callable<String>, ExecutionListener
    {
        private long trades;

        @Override
        public String call()
        {
            final OrderBook book = new OrderBook(SymbolSpec.future(1), this);
            book.execute(new BookCommand().place(OrderType.GTC, Side.ASK).orderId(1).uid(7).price(100).size(5)
                .reservePrice(100));
            book.execute(new BookCommand().place(OrderType.IOC, Side.BID).orderId(2).uid(8).price(100).size(3)
                .reservePrice(100));
            final MatchingEngine engine = new MatchingEngine(new EngineContext().risk(new RiskLimits())
                .symbol(SymbolSpec.spot(1), SymbolTerms.spot(1, 2, 1, 1)), this);
            engine.addUser(7);
            return trades + " trade, " + book.orderCount() + " order, " + engine.adjustBalance(7, 2, 100, 1) + ", " +
                engine.execute(1, new BookCommand().place(OrderType.GTC, Side.BID).orderId(3).uid(7).price(100).size(1)
                    .reservePrice(100));
        }

        @Override
        public void onTrade(
            final int symbol,
            final long makerOrderId,
            final long makerUid,
            final boolean makerCompleted,
            final long takerOrderId,
            final long takerUid,
            final byte takerSide,
            final boolean takerCompleted,
            final long price,
            final long size,
            final long bidReservePrice)
        {
            trades++;
        }
    }

    /** Encodes a command and decodes it. */
    public static final class Codec implements Callable<String>
    {
        @Override
        public String call()
        {
            final EventCodec<OrderCommand> codec = new OrderCommandCodec();
            final ByteView bytes = new ByteView(new byte[256]);
            final int length = codec.encode(new OrderCommand().limit(1, 42, 7, Side.BID, 100, 5), bytes, 0);
            final OrderCommand decoded = new OrderCommand();
            return codec.decode(bytes, 0, length, decoded) + " " + decoded.orderId();
        }
    }

    private static String run(final Class<? extends Callable<String>> program, final Class<?>... besidesEngine)
        throws Exception
    {
        final URL[] path = Stream.concat(Stream.of(program, OrderBook.class), Stream.of(besidesEngine))
            .map(JdkAloneTest::locationOf).toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader()))
        {
            assertThrows(ClassNotFoundException.class, () -> loader.loadClass("org.agrona.concurrent.IdleStrategy"));
            return (String)((Callable<?>)loader.loadClass(program.getName()).getConstructor().newInstance()).call();
        }
    }

    private static URL locationOf(final Class<?> type)
    {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Test
    void shouldRunBookAndRiskWithTheJdkAlone() throws Exception
    {
        assertEquals("1 trade, 1 order, SUCCESS, SUCCESS", run(BookAndRisk.class));
    }

    @Test
    void shouldRunCodecsWithMillracesOwnClasses() throws Exception
    {
        assertEquals("OK 42", run(Codec.class, ByteView.class, EventCodec.class));
    }

    @Test
    void shouldDependOnNoOtherArtifact() throws Exception
    {
        final String pom = Files.readString(Path.of(System.getProperty("millrace.root", ".."), "engine", "pom.xml"));
        final List<String> brought = Pattern.compile("(?s)<dependency>(.*?)</dependency>").matcher(pom).results()
            .map(MatchResult::group)
            .filter(each -> !each.contains("<optional>true</optional>") && !each.contains("<scope>test</scope>"))
            .toList();
        assertEquals(List.of(), brought);
    }
}
