package io.millrace.ipc;

import io.millrace.pool.ByteView;
import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Guests in processes of their own, in Java, C and Go; each request and each response is checked. */
class GuestsTest extends FolderFixture
{
    private static final Path SOURCES = Path.of(System.getProperty("millrace.root", "..")).resolve("ipc/src");
    private static final int CALLS = 2_000;
    private static final int FOREIGN_CALLS = 1_000_000;
    private static final int JAVA_CALLS = 10_000_000;

    private Path output;

    @BeforeEach
    void nameOutput()
    {
        output = directory.resolve("out");
    }

    /** A tenth of the calls one at a time, the others in flight together. */
    private void call(final int calls, final List<String> command) throws Exception
    {
        final ExchangeContext context = Pair.context(directory).lanes(2);
        final Process child;
        try (Pair pair = Pair.host(context))
        {
            child = ChildJvm.start(output, command);
            assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS), () -> read());
            for (int i = 0; i < calls / 10; i++)
            {
                Pair.call(pair.host.lane(1), i);
            }
            submit(pair.host.lane(0), calls - calls / 10);
            assertEquals(0, pair.host.counters().timeouts() + pair.host.counters().faults());
        }
        assertEquals("served " + calls + " wrong 0\n", Children.end(child, 0, output));
    }

    private static void submit(final HostLane lane, final int calls)
    {
        final AtomicLong ended = new AtomicLong();
        final ResponseHandler handler = (call, status, response, length) ->
            Pair.assertAnswer(response, 1_000 + ended.getAndIncrement(), length);
        for (int sent = 0; ended.get() < calls;)
        {
            final ByteView request = sent < calls ? lane.claim() : null;
            if (request != null)
            {
                lane.submit(MessageType.APP_START, Pair.fill(request, 1_000 + sent++));
            }
            else
            {
                lane.await(handler, 16);
            }
        }
    }

    private String read()
    {
        try
        {
            return Files.readString(output);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    private void build(final String... command) throws Exception
    {
        final ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("GO111MODULE", "off");
        builder.environment().put("GOCACHE", directory.resolve("cache").toString());
        assertEquals(0, builder.start().waitFor(), this::read);
    }

    private void inC(final int calls) throws Exception
    {
        assumeTrue(ChildJvm.works("gcc", "--version"), "no gcc: the guest in C is not tested");
        final String program = directory.resolve("guest").toString();
        build("gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-I" + SOURCES.resolve("main/c"), "-o",
            program, SOURCES.resolve("test/c/guest.c").toString());
        call(calls, List.of(program, directory.toString(), "t"));
    }

    private void inGo(final int calls) throws Exception
    {
        assumeTrue(ChildJvm.works("go", "version"), "no Go: the guest in Go is not tested");
        final String program = directory.resolve("guest").toString();
        build("go", "build", "-o", program, SOURCES.resolve("test/go/guest.go").toString());
        call(calls, List.of(program, directory.toString(), "t"));
    }

    private void inJava(final int calls) throws Exception
    {
        call(calls, Children.jvm(ChildJvm.JDK).command(ServingPeer.class, directory));
    }

    @Test
    void shouldCallAGuestInC() throws Exception
    {
        inC(CALLS);
    }

    @Test
    void shouldCallAGuestInJava() throws Exception
    {
        inJava(CALLS);
    }

    @Tag("faults")
    @Test
    void shouldCallAGuestInCAMillionTimes() throws Exception
    {
        inC(FOREIGN_CALLS);
    }

    /** In the profile: the first build of Go compiles its library, which takes half a minute. */
    @Tag("faults")
    @Test
    void shouldCallAGuestInGoAMillionTimes() throws Exception
    {
        inGo(FOREIGN_CALLS);
    }

    @Tag("faults")
    @Test
    void shouldCallAGuestInJavaTenMillionTimes() throws Exception
    {
        inJava(JAVA_CALLS);
    }
}
