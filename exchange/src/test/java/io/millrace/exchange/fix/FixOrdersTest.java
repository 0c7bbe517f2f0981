package io.millrace.exchange.fix;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.Listing;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Each field of an order message: what it becomes, and which tag a reject names. */
@Timeout(180)
class FixOrdersTest
{
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Type and fields of a message; the tag that its reject names, and the reason: 1 missing, 5 wrong. */
    private static final List<List<String>> WRONG = List.of(
        List.of("D", "55=GOLD|54=1|38=1|40=2|44=5|", "11 1"),
        List.of("D", "11=0|55=GOLD|54=1|38=1|40=2|44=5|", "11 5"),
        List.of("D", "11=281474976710656|55=GOLD|54=1|38=1|40=2|44=5|", "11 5"),
        List.of("D", "11=1|54=1|38=1|40=2|44=5|", "55 1"),
        List.of("D", "11=1|55=GOLD|38=1|40=2|44=5|", "54 1"),
        List.of("D", "11=1|55=GOLD|54=3|38=1|40=2|44=5|", "54 5"),
        List.of("D", "11=1|55=GOLD|54=1|40=2|44=5|", "38 1"),
        List.of("D", "11=1|55=GOLD|54=1|38=0|40=2|44=5|", "38 5"),
        List.of("D", "11=1|55=SILVER|54=1|38=15|40=2|44=5|", "38 5"),
        List.of("D", "11=1|55=GOLD|54=1|38=1|44=5|", "40 1"),
        List.of("D", "11=1|55=GOLD|54=1|38=1|40=3|44=5|", "40 5"),
        List.of("D", "11=1|55=GOLD|54=1|38=1|40=22|44=5|", "40 5"),
        List.of("D", "11=1|55=GOLD|54=1|38=1|40=2|", "44 1"),
        List.of("D", "11=1|55=SILVER|54=1|38=10|40=2|44=5.01|", "44 5"),
        List.of("D", "11=1|55=GOLD|54=1|38=1|40=2|44=5|59=6|", "59 5"),
        List.of("F", "41=1|55=GOLD|54=1|", "11 1"),
        List.of("F", "11=2|55=GOLD|54=1|", "41 1"),
        List.of("F", "11=2|41=x|55=GOLD|54=1|", "41 5"),
        List.of("G", "11=2|41=1|55=LEAD|54=1|38=1|40=2|44=5|", "55 5"),
        List.of("G", "11=2|55=GOLD|54=1|38=1|40=2|44=5|", "41 1"),
        List.of("G", "11=2|41=1|55=GOLD|54=1|38=0|40=2|44=5|", "38 5"),
        List.of("G", "11=2|41=1|55=GOLD|54=1|38=1|40=1|44=5|", "40 5"),
        List.of("G", "11=2|41=1|55=GOLD|54=1|38=1|44=5|", "40 1"),
        List.of("G", "11=2|41=1|55=GOLD|54=1|38=1|40=2|", "44 1"),
        List.of("H", "11=1|55=GOLD|", "54 1"),
        List.of("q", "55=GOLD|530=1|", "11 1"),
        List.of("q", "11=2|530=1|", "55 1"),
        List.of("q", "11=2|55=LEAD|530=1|", "55 5"),
        List.of("q", "11=2|55=GOLD|", "530 1"),
        List.of("q", "11=2|55=GOLD|530=2|", "530 5"),
        List.of("q", "11=2|55=GOLD|530=1|54=1|", "54 5"));

    @TempDir
    private Path folder;

    private Exchange launch()
    {
        return Exchange.launch(ExchangeRig.context(folder, ExchangeRig.withoutTimeLimits()
            .client(new ClientAccount(1, "ANNA", "token-of-anna", Role.TRADER))
            .client(new ClientAccount(2, "BERT", "token-of-bert", Role.TRADER)))
            .protocol(new FixProtocol("MILL", List.of(
                new Listing(SymbolSpec.future(ExchangeRig.SYMBOL), "GOLD", 100, 1),
                new Listing(SymbolSpec.future(ExchangeRig.SECOND_SYMBOL), "SILVER", 1_000, 10)), false), LOOPBACK));
    }

    @Test
    void shouldNameTheFieldThatIsMissingOrWrong() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            anna.enter(1, 1, "5", "1");
            assertEquals(List.of("A", "8 39=0"), anna.nextAll(2, 39));
            for (final List<String> each : WRONG)
            {
                anna.send(each.get(0), each.get(1));
                final String[] tag = each.get(2).split(" ");
                assertEquals("3 371=" + tag[0] + " 372=" + each.get(0) + " 373=" + tag[1], anna.next(371, 372, 373),
                    each::toString);
            }
            anna.send("H", "11=1|55=GOLD|54=1|");
            assertEquals("8 150=I 39=0 151=5", anna.next(150, 39, 151));
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldTakeEachTimeInForceAndCancelOneSymbolOrAll() throws IOException
    {
        final int[] tags = {11, 150, 32, 31, 14, 151, 531, 533};
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", "");
            FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            anna.send("D", "11=1|55=GOLD|54=1|38=5|40=2|44=1.25|59=1|");
            anna.send("D", "11=2|55=SILVER|54=2|38=20|40=2|44=9.1|");
            assertEquals(List.of("A", "8 11=1 150=0 14=0 151=5", "8 11=2 150=0 14=0 151=20"), anna.nextAll(3, tags));
            bert.send("D", "11=1|55=GOLD|54=2|38=6|40=2|44=1.25|59=4|");
            bert.send("D", "11=2|55=GOLD|54=2|38=2|40=2|44=1.25|59=4|");
            bert.send("D", "11=3|55=GOLD|54=2|38=4|40=2|44=1.25|59=3|");
            bert.send("D", "11=4|55=SILVER|54=1|38=10|40=1|59=3|");
            bert.send("D", "11=5|55=SILVER|54=1|38=30|40=1|59=1|");
            bert.send("D", "11=6|55=SILVER|54=1|38=10|40=2|44=9|59=0|");
            bert.send("D", "11=7|55=GOLD|54=1|38=1|40=2|44=1|59=1|");
            bert.send("q", "11=8|55=SILVER|530=1|");
            assertEquals(List.of("A", "8 11=1 150=0 14=0 151=6", "8 11=1 150=4 14=0 151=0",
                "8 11=2 150=0 14=0 151=2", "8 11=2 150=F 32=2 31=1.2500 14=2 151=0",
                "8 11=3 150=0 14=0 151=4", "8 11=3 150=D 14=0 151=3", "8 11=3 150=F 32=3 31=1.2500 14=3 151=0",
                "8 11=4 150=0 14=0 151=10", "8 11=4 150=F 32=10 31=9.1000 14=10 151=0",
                "8 11=5 150=0 14=0 151=30", "8 11=5 150=D 14=0 151=10",
                "8 11=5 150=F 32=10 31=9.1000 14=10 151=0", "8 11=6 150=0 14=0 151=10", "8 11=7 150=0 14=0 151=1",
                "8 11=6 150=4 14=0 151=0", "r 11=8 531=1 533=1"), bert.nextAll(17, tags));
            bert.send("H", "11=7|55=GOLD|54=1|");
            bert.send("q", "11=9|530=7|");
            assertEquals(List.of("8 11=7 150=I 14=0 151=1", "8 11=7 150=4 14=0 151=0", "r 11=9 531=7 533=1"),
                bert.nextAll(3, tags));
            assertNull(exchange.server().failure());
        }
    }
}
