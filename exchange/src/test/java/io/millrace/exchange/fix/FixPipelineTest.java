package io.millrace.exchange.fix;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.Listing;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static io.millrace.exchange.ExchangeRig.counter;
import static io.millrace.exchange.fix.RawFix.message;
import static io.millrace.exchange.fix.RawFix.read;
import static io.millrace.exchange.fix.RawFix.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A client without a library: it sends the next messages before it reads the answers, and wrong sequences. */
@Timeout(180)
class FixPipelineTest
{
    private static final String HEAD = "\00149=ANNA\00156=MILL\001";
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    /** So many answers are more than the buffers of both sockets hold. */
    private static final int REQUESTS = 120_000;
    private static final int EXECUTIONS = 30;
    private static final int RESENDS = 400;

    /** Of the tests of rows: each row begins a session with ResetSeqNumFlag and leaves no order. */
    private static Exchange shared;

    @TempDir
    private Path folder;

    @BeforeAll
    static void launchShared(@TempDir final Path directory)
    {
        shared = launch(directory);
    }

    @AfterAll
    static void closeShared()
    {
        shared.close();
    }

    private static Exchange launch(final Path directory)
    {
        return launch(directory, ExchangeRig.withoutTimeLimits());
    }

    private static Exchange launch(final Path directory, final SessionContext sessions)
    {
        sessions.heartbeatNs(TimeUnit.HOURS.toNanos(1))
            .client(new ClientAccount(1, "ANNA", "token-of-anna", Role.TRADER));
        return Exchange.launch(ExchangeRig.context(directory, sessions).protocol(new FixProtocol("MILL",
            List.of(new Listing(SymbolSpec.future(ExchangeRig.SYMBOL), "GOLD", 100, 1)), false), LOOPBACK));
    }

    @Test
    @Tag("slow")
    void shouldAnswerEachRequestOfAClientThatReadsLate() throws Exception
    {
        try (Exchange exchange = launch(folder); Socket socket = new Socket(LOOPBACK.getAddress(), exchange.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001554=token-of-anna\001"));
            final Thread writer = new Thread(() ->
            {
                final StringBuilder all = new StringBuilder();
                for (int i = 0; i < REQUESTS; i++)
                {
                    all.append(message("35=1\00134=" + (i + 2) + HEAD + "112=" + i + "\001"));
                }
                try
                {
                    write(socket, all.toString());
                }
                catch (final IOException ex)
                {
                    // The reader sees the end, too.
                    return;
                }
            });
            writer.start();
            // Until nothing moves.
            writer.join(3_000);
            assertEquals(REQUESTS, count(socket.getInputStream(), "\001112=", REQUESTS));
            writer.join();
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldAnswerEachOfSeveralResendRequests() throws Exception
    {
        try (Exchange exchange = launch(folder); Socket socket = new Socket(LOOPBACK.getAddress(), exchange.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001554=token-of-anna\001"));
            final StringBuilder orders = new StringBuilder();
            for (int i = 2; i <= 4; i++)
            {
                orders.append(message("35=D\00134=" + i + HEAD + "11=" + i +
                    "\00155=GOLD\00154=1\00138=10\00140=2\00144=5\001"));
            }
            write(socket, orders.toString());
            read(socket, "\00134=4\001");
            write(socket, message("35=1\00134=5" + HEAD + "112=a\001"));
            read(socket, "\001112=a\001");
            // Executions, then the heartbeat.
            write(socket, message("35=2\00134=6" + HEAD + "7=2\00116=4\001") +
                message("35=2\00134=7" + HEAD + "7=5\00116=5\001") + message("35=1\00134=8" + HEAD + "112=b\001"));
            for (int i = 2; i <= 4; i++)
            {
                read(socket, "\00135=8\00149=MILL\00156=ANNA\00134=" + i + "\001");
            }
            read(socket, "\001123=Y\00136=6\001");
            read(socket, "\001112=b\001");
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldSayWhyAChangeIsRejectedAndWhatIsRepeated() throws Exception
    {
        final String order = HEAD + "55=GOLD\00154=1\00138=10\00140=2\001";
        try (Exchange exchange = launch(folder); Socket socket = new Socket(LOOPBACK.getAddress(), exchange.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001554=token-of-anna\001"));
            write(socket, message("35=D\00134=2" + order + "11=1\00144=5\001"));
            write(socket, message("35=F\00134=3" + order + "11=2\00141=77\001"));
            assertTrue(read(socket, "\001102=1\001").contains("\00111=2\00141=77\00139=8\001434=1\001"));
            write(socket, message("35=G\00134=4" + order + "11=3\00141=77\00144=5\001"));
            assertTrue(read(socket, "\001102=1\001").contains("\00111=3\00141=77\00139=8\001434=2\001"));
            // Beyond the greatest price.
            write(socket, message("35=G\00134=5" + order + "11=4\00141=1\00144=5000\001"));
            assertTrue(read(socket, "\001102=99\001").contains("\00111=4\00141=1\00139=0\001434=2\001"));
            // A client that does not know whether its order came may send it again.
            write(socket, message("35=D\00134=6" + order + "11=1\00144=5\001"));
            final String again = read(socket, "\00197=Y\001");
            assertTrue(again.contains("\00135=8\00149=MILL\00156=ANNA\00134=6\001"), again);
            read(socket, "\001150=0\00139=0\001");
            assertNull(exchange.server().failure());
        }
    }

    /** The output of the exchange is full again and again in the middle of a resend. */
    @Test
    @Tag("slow")
    void shouldResendEachExecutionToAClientThatReadsLate() throws Exception
    {
        try (Exchange exchange = launch(folder, ExchangeRig.withoutTimeLimits().outputBytes(4_096));
            Socket socket = new Socket())
        {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(LOOPBACK.getAddress(), exchange.port(0)));
            socket.setSoTimeout(60_000);
            final StringBuilder all = new StringBuilder(
                message("35=A\00134=1" + HEAD + "98=0\001108=5\001554=token-of-anna\001"));
            int sent = 1;
            for (int id = 1; id <= EXECUTIONS; id++)
            {
                all.append(message("35=D\00134=" + ++sent + HEAD + "11=" + id +
                    "\00155=GOLD\00154=1\00138=10\00140=2\00144=5\001"));
                write(socket, all.toString());
                read(socket, "\001150=0\001");
                all.setLength(0);
                all.append(message("35=1\00134=" + ++sent + HEAD + "112=" + id + "\001"));
            }
            for (int i = 0; i < RESENDS; i++)
            {
                all.append(message("35=2\00134=" + ++sent + HEAD + "7=1\00116=" + 2 * EXECUTIONS + "\001"));
            }
            write(socket, all.toString());
            // Until the output is full.
            ExchangeRig.await(() -> counter(exchange, "skipped") > 0);
            // As many gaps as executions.
            final int messages = 2 * EXECUTIONS * RESENDS;
            assertEquals(messages, count(socket.getInputStream(), "\00143=Y\001", messages));
            assertNull(exchange.server().failure());
        }
    }

    /** SequenceReset by the session rules of FIX 4.4, where message 3 is expected; | is the end of a field. */
    @ParameterizedTest
    @CsvSource({
        "34=2|43=Y|123=Y|36=9|, 3, |112=next|",
        "34=2|123=Y|36=9|, 3, '|58=MsgSeqNum too low, expecting 3 but received 2|'",
        "34=2|123=Y|36=3|, 3, '|58=MsgSeqNum too low, expecting 3 but received 2|'",
        "34=3|123=Y|36=9|, 9, |112=next|",
        "34=3|123=Y|36=3|, 3, |45=3|371=36|372=4|373=5|",
        "34=3|123=Y|36=2|, 3, |45=3|371=36|372=4|373=5|",
        "34=3|123=Y|, 3, |45=3|371=36|372=4|373=1|",
        "34=9|123=Y|36=12|, 3, |7=3|16=0|",
        "34=1|36=7|, 7, |112=next|",
        "34=1|36=2|, 3, |45=1|371=36|372=4|373=5|",
        "34=1|36=7|36=9|, 3, |45=1|371=36|372=4|373=13|",
        "34=3|123=Y|123=N|36=9|, 3, |45=3|371=123|372=4|373=13|",
        "34=1|36=9223372036854775807|, 3, |45=1|371=36|372=4|373=5|",
        "34=1|36=3|, 3, |112=next|"})
    void shouldTakeASequenceResetByTheRules(final String reset, final int next, final String expected) throws Exception
    {
        try (Socket socket = new Socket(LOOPBACK.getAddress(), shared.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001141=Y\001554=token-of-anna\001"));
            write(socket, message("35=1\00134=2" + HEAD + "112=first\001"));
            read(socket, "\001112=first\001");
            final String[] fields = reset.replace('|', '\001').split("(?<=\\A34=\\d\001)", 2);
            write(socket, message("35=4\001" + fields[0] + HEAD.substring(1) + fields[1]));
            write(socket, message("35=1\00134=" + next + HEAD + "112=next\001"));
            read(socket, expected.replace('|', '\001'));
            assertNull(shared.server().failure());
        }
    }

    /** A field twice: the message does not say which value it means. In a group of another field it may be. */
    @ParameterizedTest
    @CsvSource({
        "44=0.51, |45=2|371=44|372=D|373=13|",
        "38=2, |45=2|371=38|372=D|373=13|",
        "55=GOLD, |45=2|371=55|372=D|373=13|",
        "35=F, |45=2|371=35|372=D|373=13|",
        "34=3, |45=2|371=34|372=D|373=13|",
        "453=2|448=a|448=b, |150=0|39=0|"})
    void shouldRejectAFieldThatIsThereTwice(final String fields, final String expected) throws Exception
    {
        try (Exchange exchange = launch(folder); Socket socket = new Socket(LOOPBACK.getAddress(), exchange.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001554=token-of-anna\001"));
            write(socket, message("35=D\00134=2" + HEAD + "11=1\00155=GOLD\00154=1\00138=1\00140=2\00144=0.5\001" +
                fields.replace('|', '\001') + "\001"));
            read(socket, expected.replace('|', '\001'));
            write(socket, message("35=1\00134=3" + HEAD + "112=next\001"));
            read(socket, "\001112=next\001");
            assertNull(exchange.server().failure());
        }
    }

    /** A client that refuses every rejection, as QuickFIX/J does without a handler, would get the next one for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"3", "j"})
    void shouldNotAnswerARejection(final String type) throws Exception
    {
        try (FixSocket anna = new FixSocket(shared, "ANNA", ""))
        {
            assertEquals("A", anna.next());
            anna.send(type, "45=1|372=A|380=3|");
            anna.send("1", "112=next|");
            assertEquals("0 112=next", anna.next(112, 45));
            assertNull(shared.server().failure());
        }
    }

    /** The number after it could not be written. */
    @Test
    void shouldNotTakeTheGreatestNumberAsAMsgSeqNum() throws Exception
    {
        final String last = "9223372036854775807";
        try (Socket socket = new Socket(LOOPBACK.getAddress(), shared.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001141=Y\001554=token-of-anna\001"));
            write(socket, message("35=4\00134=2" + HEAD + "36=9223372036854775806\001"));
            write(socket, message("35=1\00134=9223372036854775806" + HEAD + "112=last\001"));
            read(socket, "\001112=last\001");
            write(socket, message("35=1\00134=" + last + HEAD + "112=after\001"));
            read(socket, "\00158=malformed\001");
            assertNull(shared.server().failure());
        }
    }

    /** ResendRequest by the session rules of FIX 4.4: message 2 is expected, only the logon was sent. */
    @ParameterizedTest
    @CsvSource({
        "34=2|7=1|16=0, |123=Y|36=2|",
        "34=2|7=1|16=1, |123=Y|36=2|",
        "34=2|7=1|16=9, |123=Y|36=2|",
        "34=7|7=1|16=0, |123=Y|36=2|",
        "34=2|7=3|16=2, |45=2|371=16|372=2|373=5|",
        "34=2|7=0|16=0, |45=2|371=7|372=2|373=5|",
        "34=2|16=0, |45=2|371=7|372=2|373=1|",
        "34=2|7=1, |45=2|371=16|372=2|373=1|"})
    void shouldTakeAResendRequestByTheRules(final String fields, final String expected) throws Exception
    {
        try (Socket socket = new Socket(LOOPBACK.getAddress(), shared.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001141=Y\001554=token-of-anna\001"));
            write(socket, message("35=2\001" + fields.replace('|', '\001') + HEAD));
            read(socket, expected.replace('|', '\001'));
            assertNull(shared.server().failure());
        }
    }

    /** One request for a gap, however many messages come behind it; and one for the next gap. */
    @Test
    void shouldRequestEachGapOnce() throws Exception
    {
        try (Socket socket = new Socket(LOOPBACK.getAddress(), shared.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001141=Y\001554=token-of-anna\001"));
            write(socket, message("35=0\00134=4" + HEAD) + message("35=0\00134=5" + HEAD) +
                message("35=1\00134=2" + HEAD + "112=two\001"));
            final String first = read(socket, "\001112=two\001");
            assertEquals(2, first.split("\00135=2\001").length, first);
            assertTrue(first.contains("\0017=2\00116=0\001"), first);
            // After a message that came, and after a gap that was filled.
            write(socket, message("35=0\00134=6" + HEAD));
            read(socket, "\0017=3\00116=0\001");
            write(socket, message("35=4\00134=3" + HEAD + "123=Y\00136=7\001") + message("35=0\00134=8" + HEAD));
            read(socket, "\0017=7\00116=0\001");
            assertNull(shared.server().failure());
        }
    }

    @Test
    void shouldRequestWhatIsMissingBeforeALogon() throws Exception
    {
        final String logon = HEAD + "98=0\001108=5\001554=token-of-anna\001";
        try (Socket socket = new Socket(LOOPBACK.getAddress(), shared.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + logon + "141=Y\001"));
            read(socket, "\00135=A\001");
        }
        try (Socket socket = new Socket(LOOPBACK.getAddress(), shared.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=5" + logon));
            read(socket, "\0017=2\00116=0\001");
            assertNull(shared.server().failure());
        }
    }

    /** PossDupFlag by the session rules of FIX 4.4, where message 3 is expected; | is the end of a field. */
    @ParameterizedTest
    @CsvSource({
        "34=2|52=20261127-10:00:00, 3, |45=2|371=122|372=1|373=1|",
        "34=2|52=20261127-10:00:00|122=20261127-10:00:01, 3, |45=2|371=122|372=1|373=10|",
        "34=2|52=20261127-10:00:00.5|122=20261127-10:00:00.501, 3, |45=2|371=122|372=1|373=10|",
        "34=2|52=20261127-10:00:00|122=20261127-10:00:00.000, 3, ''",
        "34=2|52=20261127-10:00:00.001|122=20261127-10:00:00, 3, ''",
        "34=2|52=20261127-10:00:00|122=20261126-23:59:59, 3, ''",
        "34=2|122=20261127-10:00:00, 3, |45=2|371=52|372=1|373=1|",
        "34=2|52=yesterday|122=20261127-10:00:00, 3, |45=2|371=52|372=1|373=6|",
        "34=2|52=20261127-10:00:00|122=20261127 10:00:00, 3, |45=2|371=122|372=1|373=6|",
        "34=2|52=20261127-10:00:00|122=20261127-10:00:00., 3, |45=2|371=122|372=1|373=6|",
        "34=2|52=20261127-10:00:00|122=20261127-10:00:00.0x, 3, |45=2|371=122|372=1|373=6|",
        "34=3|52=20261127-10:00:00, 4, |45=3|371=122|372=1|373=1|",
        "34=3|52=20261127-10:00:00|122=20261127-10:00:01, 4, |45=3|371=122|372=1|373=10|",
        "34=3|52=20261127-10:00:01|122=20261127-10:00:00, 4, |112=again|",
        "34=5|52=20261127-10:00:00, 3, |7=3|16=0|"})
    void shouldCheckTheTimesOfAPossibleDuplicate(final String fields, final int next, final String expected)
        throws Exception
    {
        try (Socket socket = new Socket(LOOPBACK.getAddress(), shared.port(0)))
        {
            socket.setSoTimeout(60_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001141=Y\001554=token-of-anna\001"));
            write(socket, message("35=1\00134=2" + HEAD + "112=first\001"));
            read(socket, "\001112=first\001");
            write(socket, message("35=1\001" + fields.replace('|', '\001') + HEAD + "43=Y\001112=again\001"));
            write(socket, message("35=1\00134=" + next + HEAD + "112=next\001"));
            final String[] answers = read(socket, "\001112=next\001").replace('\001', '|').split("8=FIX.4.4");
            // Before the first one comes the checksum of the heartbeat above.
            assertEquals(expected.isEmpty() ? 2 : 3, answers.length, () -> String.join("\n", answers));
            assertTrue(expected.isEmpty() || answers[1].contains(expected), () -> String.join("\n", answers));
            assertNull(shared.server().failure());
        }
    }

    /** Counts a text that begins with the end of a field, until all are there or none comes. */
    private static int count(final InputStream in, final String wanted, final int most) throws IOException
    {
        int count = 0;
        int matched = 0;
        final byte[] bytes = new byte[1 << 16];
        try
        {
            for (int length = in.read(bytes); length > 0; length = count < most ? in.read(bytes) : 0)
            {
                for (int i = 0; i < length; i++)
                {
                    matched = bytes[i] == wanted.charAt(matched) ? matched + 1 : bytes[i] == 1 ? 1 : 0;
                    if (matched == wanted.length())
                    {
                        count++;
                        matched = 0;
                    }
                }
            }
        }
        catch (final SocketTimeoutException ex)
        {
            // None comes any more.
            return count;
        }
        return count;
    }
}
