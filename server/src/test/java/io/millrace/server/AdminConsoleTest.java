package io.millrace.server;

import io.millrace.pool.testkit.Descriptors;
import io.millrace.server.monitor.AdminConsole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A1 for a console of lines: the commands of an operator on a loopback socket. */
class AdminConsoleTest
{
    private static final String TOKEN = "0123456789abcdef";
    private static final int CLIENTS = 100;
    /** Fewer than the 50 that wait in the backlog. */
    private static final int LATE_CLIENTS = 40;
    /** What other threads may open meanwhile. */
    private static final int OTHER_DESCRIPTORS = 4;

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);

    private Server.Context context(final AdminConsole console)
    {
        return context(console, source);
    }

    private static Server.Context context(final AdminConsole console, final InVmSource<Tick> from)
    {
        return new Server.Context().name("console").stallTimeoutNs(0).service(console)
            .flow("f", f -> f.from(from).to("a", Tick.ignored()));
    }

    /** The stage may be late: 64 events are less than the clients. */
    private void publish()
    {
        final Tick[] event = new Tick[1];
        Await.until("an event is free", () -> (event[0] = source.claim()) != null);
        source.publish(event[0]);
    }

    /** A client that fails rather than hangs. */
    private static final class Client implements AutoCloseable
    {
        private final Socket socket;
        private final BufferedReader in;

        Client(final AdminConsole console) throws IOException
        {
            socket = new Socket(InetAddress.getLoopbackAddress(), console.port());
            socket.setSoTimeout((int)TimeUnit.NANOSECONDS.toMillis(Await.LONG_NS));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        void send(final String text) throws IOException
        {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }

        /** The lines of an answer. */
        List<String> answer() throws IOException
        {
            final List<String> lines = new ArrayList<>();
            String line = in.readLine();
            while (line != null && !line.equals("."))
            {
                lines.add(line);
                line = in.readLine();
            }
            return lines;
        }

        List<String> ask(final String line) throws IOException
        {
            send(line + "\n");
            return answer();
        }

        @Override
        public void close() throws IOException
        {
            socket.close();
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldAnswerLines(final ThreadingMode mode) throws IOException
    {
        final AdminConsole console = new AdminConsole(0);
        try (Server server = Server.launch(context(console).threadingMode(mode)); Client client = new Client(console))
        {
            server.admin().add("dots", "answers dots", words -> ".\nx");
            assertEquals(List.of("RUNNING"), client.ask("state"));
            assertEquals(List.of("UP"), client.ask("health\r"));
            assertEquals(List.of(), client.ask(""));
            assertTrue(client.ask("graph").get(0).startsWith("flow f: "));
            assertTrue(client.ask("stop").get(0).startsWith("error: no command 'stop': there are [agents, "));
            // Several lines in one packet, and one line in several.
            client.send("flows\nstages\nsta");
            assertEquals(List.of("f"), client.answer());
            assertEquals(List.of("a"), client.answer());
            assertEquals(List.of("RUNNING"), client.ask("te"));
            assertEquals(List.of("1"), client.ask("counters admin-console.refused").stream()
                .map(line -> line.substring(line.indexOf(' ') + 1)).toList());
            assertEquals(List.of(), client.ask("quit"));
            assertNull(client.in.readLine());
        }
        Await.noThreadOf("console");
        assertThrows(IOException.class, () -> new Client(console));
    }

    @Test
    void shouldOnlyReadWithoutAToken() throws IOException
    {
        final AdminConsole console = new AdminConsole(0);
        try (Server server = Server.launch(context(console)); Client client = new Client(console))
        {
            server.admin().add("own", "may change something", words -> "done");
            for (final String command : List.of("pause a", "resume a", "own", "auth " + TOKEN))
            {
                final String answer = client.ask(command).get(0);
                assertTrue(answer.startsWith("error: ") && answer.contains("no token"), answer);
            }
            assertEquals(List.of("UP"), client.ask("health"));
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldChangeTheServerWithTheToken(final ThreadingMode mode) throws IOException
    {
        final AdminConsole console = new AdminConsole(0).token(TOKEN);
        try (Server server = Server.launch(context(console).threadingMode(mode)); Client client = new Client(console);
            Client guesser = new Client(console))
        {
            assertTrue(client.ask("pause a").get(0).contains("auth TOKEN"));
            assertEquals(List.of("authorised"), client.ask("auth " + TOKEN));
            assertEquals(List.of("paused"), client.ask("pause a"));
            assertEquals(Health.Status.DEGRADED, server.health().status());
            assertEquals(List.of("resumed"), client.ask("resume a"));
            for (int i = 0; i < 3; i++)
            {
                assertEquals(List.of("error: wrong token"), guesser.ask("auth 0123456789abcdeX"));
            }
            assertNull(guesser.in.readLine(), "three guesses");
            assertEquals(List.of("RUNNING"), client.ask("state"));
        }
    }

    @Test
    void shouldBoundLinesAndConnections() throws IOException
    {
        final AdminConsole console = new AdminConsole(0);
        final List<Client> clients = new ArrayList<>();
        try (Server server = Server.launch(context(console)))
        {
            try (Client client = new Client(console))
            {
                assertEquals(List.of("RUNNING"), client.ask("state" + " ".repeat(AdminConsole.MAX_LINE_BYTES - 5)));
                client.send("x".repeat(10_000));
                assertEquals(List.of("error: a line has at most 1024 bytes"), client.answer());
                assertNull(client.in.readLine());
            }
            try (Client browser = new Client(console))
            {
                browser.send("POST / HTTP/1.1\nstate\n");
                assertNull(browser.in.readLine());
            }
            Await.until("both have left", () -> server.counters().value("admin-console.connections") == 0);
            int refused = 0;
            for (int i = 0; i < CLIENTS; i++)
            {
                final Client client = new Client(console);
                clients.add(client);
                final String line = client.ask("state").stream().findFirst().orElse("closed");
                assertTrue(line.equals("RUNNING") || line.contains("16 connections are open"), line);
                refused += line.equals("RUNNING") ? 0 : 1;
                publish();
            }
            assertEquals(CLIENTS - AdminConsole.MAX_CONNECTIONS, refused);
            Await.until("the events are handled", () -> server.counters().value("a.handled") == CLIENTS);
            assertEquals(Health.Status.UP, server.health().status());
        }
        finally
        {
            for (final Client client : clients)
            {
                client.close();
            }
        }
    }

    /** T2: the console is busy until the clients beyond the limit have reset their connections. */
    @Test
    void shouldReleaseAndCountClientsBeyondTheLimitThatHaveGone() throws IOException
    {
        final AdminConsole console = new AdminConsole(0).token(TOKEN);
        final List<Client> clients = new ArrayList<>();
        final AtomicBoolean gone = new AtomicBoolean();
        try (Server server = Server.launch(context(console)))
        {
            server.admin().add("wait", "keeps the console busy", words ->
            {
                Await.until("the clients have gone", gone::get);
                return "gone";
            });
            for (int i = 0; i < AdminConsole.MAX_CONNECTIONS; i++)
            {
                clients.add(new Client(console));
                assertEquals(List.of("authorised"), clients.get(i).ask("auth " + TOKEN));
            }
            final long before = Descriptors.open();
            clients.get(0).send("wait\n");
            for (int i = 0; i < LATE_CLIENTS; i++)
            {
                try (Client late = new Client(console))
                {
                    late.socket.setSoLinger(true, 0);
                }
            }
            gone.set(true);
            assertEquals(List.of("gone"), clients.get(0).answer());
            Await.until("all are refused", () -> server.counters().value("admin-console.refused") >= LATE_CLIENTS &&
                Descriptors.open() <= before + OTHER_DESCRIPTORS);
            assertEquals(List.of("RUNNING"), clients.get(0).ask("state"));
            assertEquals(LATE_CLIENTS, server.counters().value("admin-console.refused"));
        }
        finally
        {
            for (final Client client : clients)
            {
                client.close();
            }
        }
    }

    @Test
    void shouldCloseAnIdleConnection() throws IOException
    {
        final AdminConsole console = new AdminConsole(0).idleTimeoutNs(TimeUnit.MILLISECONDS.toNanos(100));
        try (Server server = Server.launch(context(console)); Client client = new Client(console))
        {
            assertNull(client.in.readLine());
            Await.until("it has left", () -> server.counters().value("admin-console.connections") == 0);
        }
    }

    /** A client that asks and never reads: the others, and the server, go on. */
    @Test
    void shouldNotWaitForAClientThatDoesNotRead() throws IOException
    {
        final AdminConsole console = new AdminConsole(0);
        try (Server server = Server.launch(context(console)); Client deaf = new Client(console);
            Client client = new Client(console))
        {
            final Thread asking = new Thread(() ->
            {
                try
                {
                    for (int i = 0; i < 100_000; i++)
                    {
                        deaf.send("help\n");
                    }
                }
                catch (final IOException ignored)
                {
                    // The test has closed it.
                }
            });
            asking.setDaemon(true);
            asking.start();
            for (int i = 0; i < 100; i++)
            {
                assertEquals(List.of("RUNNING"), client.ask("state"));
            }
            assertTrue(server.counters().value("admin-console.commands") < 100_100);
        }
    }

    @Test
    void shouldSurviveARestartAndSayWhatIsWrong() throws IOException
    {
        final AdminConsole console = new AdminConsole(0);
        final Server server = Server.launch(context(console));
        server.stop();
        server.start();
        try (Client client = new Client(console))
        {
            assertEquals(List.of("RUNNING"), client.ask("state"));
        }
        server.close();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final String message = assertThrows(IllegalStateException.class,
                () -> Server.launch(context(new AdminConsole(taken.getLocalPort()), new InVmSource<>(Tick::new, 64))))
                .getMessage();
            assertTrue(message.contains("cannot listen on port " + taken.getLocalPort()), message);
        }
        assertThrows(IllegalArgumentException.class, () -> new AdminConsole(65_536));
        assertThrows(IllegalArgumentException.class, () -> new AdminConsole(0).idleTimeoutNs(1));
        final String message =
            assertThrows(IllegalArgumentException.class, () -> new AdminConsole(0).token("secret")).getMessage();
        assertTrue(message.contains("16..128") && !message.contains("secret"), message);
        assertFalse(server.health().toString().isEmpty());
    }

    /** Below the ports that a system gives to others between the two starts. */
    private static int fixedPort()
    {
        int port = 0;
        while (port == 0)
        {
            final int tried = ThreadLocalRandom.current().nextInt(15_000, 32_000);
            try (ServerSocket free = new ServerSocket(tried, 1, InetAddress.getLoopbackAddress()))
            {
                port = free.getLocalPort();
            }
            catch (final IOException ignored)
            {
                // Somebody has it.
            }
        }
        return port;
    }

    @Test
    void shouldStartAgainWhileACommandOfTheEarlierStartHangs() throws IOException
    {
        final AdminConsole console = new AdminConsole(fixedPort()).token(TOKEN);
        final AtomicBoolean there = new AtomicBoolean();
        final AtomicBoolean resume = new AtomicBoolean();
        final Server server = Server.launch(context(console));
        server.admin().add("slow", "takes long", words ->
        {
            there.set(true);
            Await.until("resumed", resume::get);
            return "done";
        });
        try (Client early = new Client(console))
        {
            assertEquals(List.of("authorised"), early.ask("auth " + TOKEN));
            early.send("slow\n");
            Await.until("the command runs", there::get);
            server.stop();
            server.start();
            try (Client client = new Client(console))
            {
                assertEquals(List.of("RUNNING"), client.ask("state"));
                resume.set(true);
                Await.until("one thread serves", () -> Await.threadsOf("console").stream()
                    .filter("console-admin-console"::equals).count() == 1);
                assertEquals(List.of("RUNNING"), client.ask("state"));
                assertEquals("UP", server.health().toString());
            }
            server.stop();
            server.start();
            assertEquals("UP", server.health().toString());
        }
        finally
        {
            resume.set(true);
            server.close();
        }
    }

    @Test
    void shouldAnswerAfterACommandThatThrewAnError() throws IOException
    {
        final AdminConsole console = new AdminConsole(0).token(TOKEN);
        try (Server server = Server.launch(context(console)); Client client = new Client(console))
        {
            server.admin().add("bad", "fails", words ->
            {
                throw new AssertionError("on purpose");
            });
            assertEquals(List.of("authorised"), client.ask("auth " + TOKEN));
            assertEquals(List.of("error: on purpose"), client.ask("bad"));
            assertEquals(List.of("RUNNING"), client.ask("state"));
            assertEquals("UP", server.health().toString());
        }
    }
}
