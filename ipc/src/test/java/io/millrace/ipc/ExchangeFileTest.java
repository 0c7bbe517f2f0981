package io.millrace.ipc;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.Descriptors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** S1, S2, S3, S6: the exchange's files. */
class ExchangeFileTest extends FolderFixture
{
    private static final int SHRINKS = 20;

    private final List<Throwable> errors = new ArrayList<>();

    private ExchangeContext context(final Path folder)
    {
        return Pair.context(folder).errorHandler(errors::add).heartbeatMs(20);
    }

    private static String permissions(final Path path) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    /** S1. */
    @Test
    void shouldCreateFilesThatOnlyTheirUserCanOpen() throws Exception
    {
        final ExchangeContext context = context(directory.resolve("x"));
        try (Pair pair = Pair.host(context))
        {
            assertNotNull(pair);
            assertEquals("rwx------", permissions(context.directory));
            assertEquals("rw-------", permissions(context.file()));
            assertEquals("rw-------", permissions(context.lock()));
        }
        assertTrue(Files.notExists(context.file()) && Files.notExists(context.socket()));
    }

    /** S1. */
    @Test
    void shouldRefuseAFolderOrAFileThatOthersCanOpen() throws Exception
    {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        final String open = assertThrows(ExchangeException.class, () ->
            ExchangeHost.create(context(directory))).getMessage();
        assertTrue(open.contains("rwxr-xr-x") && open.contains("rwx------"), open);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        try (Pair pair = Pair.host(context(directory)))
        {
            assertNotNull(pair);
            Files.setPosixFilePermissions(context(directory).file(), PosixFilePermissions.fromString("rw-rw----"));
            final String file = assertThrows(ExchangeException.class, () ->
                ExchangeGuest.attach(context(directory))).getMessage();
            assertTrue(file.contains("rw-rw----") && file.contains("rw-------"), file);
        }
    }

    /** S1: a planted link is neither followed nor its target changed. */
    @Test
    void shouldNotFollowLinks() throws Exception
    {
        final Path victim = Files.writeString(directory.resolve("victim"), "precious");
        final ExchangeContext context = context(directory);
        for (final Path link : List.of(context.file(), context.lock()))
        {
            Files.createSymbolicLink(link, victim);
        }
        final IOException lock = assertThrows(IOException.class, () -> ExchangeHost.create(context), "the lock");
        assertEquals(context.lock() + " is a symbolic link", lock.getMessage());
        Files.delete(context.lock());
        try (Pair pair = Pair.host(context))
        {
            assertNotNull(pair);
            assertTrue(!Files.isSymbolicLink(context.file()));
        }
        Files.createSymbolicLink(context.file(), victim);
        final IOException file = assertThrows(IOException.class, () -> ExchangeGuest.attach(context));
        assertEquals(context.file() + " is a symbolic link", file.getMessage());
        Files.createSymbolicLink(directory.resolve("folder"), directory);
        assertThrows(IOException.class, () -> ExchangeHost.create(context(directory.resolve("folder"))));
        assertEquals("precious", Files.readString(victim));
    }

    /** S2: of several hosts that start at once, one gets the exchange, and keeps it. */
    @Test
    void shouldHaveOneHostWhenSeveralReplaceAStaleFile() throws Exception
    {
        final ExchangeContext context = context(directory);
        for (int round = 0; round < 5; round++)
        {
            Files.writeString(context.file(), "stale");
            final List<ExchangeHost> hosts = new ArrayList<>();
            final List<Throwable> refused = new ArrayList<>();
            final CountDownLatch start = new CountDownLatch(1);
            final List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++)
            {
                final Thread thread = new Thread(() ->
                {
                    try
                    {
                        start.await();
                        final ExchangeHost host = ExchangeHost.create(context);
                        synchronized (hosts)
                        {
                            hosts.add(host);
                        }
                    }
                    catch (final IOException | InterruptedException ex)
                    {
                        synchronized (hosts)
                        {
                            refused.add(ex);
                        }
                    }
                });
                thread.start();
                threads.add(thread);
            }
            start.countDown();
            for (final Thread thread : threads)
            {
                thread.join();
            }
            assertEquals(1, hosts.size());
            refused.forEach(ex -> assertTrue(ex.getMessage().contains("another host"), ex::getMessage));
            try (ExchangeGuest guest = ExchangeGuest.attach(context))
            {
                assertTrue(guest.isAttached());
            }
            hosts.get(0).close();
        }
    }

    /** S2: a process loses its locks on a file when it closes any channel of it, also by a garbage collection. */
    @Test
    void shouldKeepTheLockWhenItsOwnProcessCreatesTheExchangeAgain() throws Exception
    {
        final ExchangeContext context = context(directory.resolve("x"));
        final ExchangeContext link =
            context(Files.createSymbolicLink(directory.resolve("link"), directory).resolve("x"));
        final ExchangeHost first = ExchangeHost.create(context);
        try
        {
            // As a cleaner of old files does: otherwise it is the socket that refuses the others.
            Files.delete(context.socket());
            for (final ExchangeContext again : List.of(context, link))
            {
                assertTrue(assertThrows(ExchangeException.class, () -> ExchangeHost.create(again)).getMessage()
                    .contains("another host"));
            }
            assertEquals(1, Descriptors.countOf(context.lock()));
            final Path output = directory.resolve("output");
            final Process child = Children.start(SecondHost.class, output, context.directory);
            assertEquals("another host has the exchange " + context.file() + "\n", Children.end(child, 0, output));
        }
        finally
        {
            first.close();
        }
        try (ExchangeHost next = ExchangeHost.create(link))
        {
            first.close();
            assertTrue(Files.exists(context.file()), "the second close of another host changes nothing");
            assertFalse(next.isGuestAttached());
        }
    }

    /** Another process that creates the exchange of a folder. */
    static final class SecondHost
    {
        private SecondHost()
        {
        }

        public static void main(final String[] arguments) throws IOException
        {
            try
            {
                ExchangeHost.create(Pair.context(Path.of(arguments[0]))).close();
                System.out.println("created");
            }
            catch (final ExchangeException ex)
            {
                System.out.println(ex.getMessage());
            }
        }
    }

    /** Changes one field of the header of a live host's file, and attaches. */
    private String refusal(final int offset, final long value) throws Exception
    {
        try (Pair pair = Pair.host(context(directory)))
        {
            pair.memory().put(offset, value);
            return assertThrows(ExchangeException.class, () ->
                ExchangeGuest.attach(context(directory))).getMessage();
        }
    }

    private void assertRefused(final int offset, final long value, final String... parts) throws Exception
    {
        final String message = refusal(offset, value);
        for (final String part : parts)
        {
            assertTrue(message.contains(part), () -> message + " without " + part);
        }
    }

    /** S3. */
    @Test
    void shouldRefuseAnotherVersionLayoutOrByteOrderAndNameBoth() throws Exception
    {
        assertRefused(ExchangeLayout.VERSION_OFFSET, 2, "version 2", "version 1");
        assertRefused(ExchangeLayout.MAGIC_OFFSET, 0x1234, "1234", Long.toHexString(ExchangeLayout.MAGIC));
        assertRefused(ExchangeLayout.MAGIC_OFFSET, Long.reverseBytes(ExchangeLayout.MAGIC), "byte order");
        final ExchangeLayout layout = context(directory).layout();
        assertRefused(ExchangeLayout.HASH_OFFSET, 0xABCDL, "abcd", Long.toHexString(layout.hash()));
        assertRefused(ExchangeLayout.FILE_BYTES_OFFSET, 7, "7", String.valueOf(layout.fileBytes));
        assertRefused(ExchangeLayout.HOST_ID_OFFSET, 7, "another host");
    }

    /** S3, S4: all boundary numbers in each limit of the header. */
    @Test
    void shouldRefuseEachImpossibleLimitOfTheHeader()
    {
        final ExchangeLayout layout = new ExchangeLayout(2, 4, 128, 1);
        final SharedMemory memory =
            new SharedMemory(ByteBuffer.allocateDirect(layout.fileBytes + 8).alignedSlice(8));
        for (final int number : Hostile.INTS)
        {
            for (int field = 0; field < 4; field++)
            {
                layout.write(memory, 1, 2, 3);
                final int offset = field < 2 ? ExchangeLayout.COUNTS_OFFSET : ExchangeLayout.SIZES_OFFSET;
                final int shift = field % 2 * Integer.SIZE;
                final long old = memory.get(offset);
                final long changed = old & ~(0xFFFF_FFFFL << shift) | Integer.toUnsignedLong(number) << shift;
                memory.put(offset, changed);
                if (changed != old)
                {
                    assertThrows(ExchangeException.class, () -> ExchangeLayout.read(memory, layout.fileBytes));
                }
            }
        }
    }

    @Test
    void shouldRefuseAFileThatIsTooShort() throws Exception
    {
        try (Pair pair = Pair.host(context(directory)))
        {
            assertNotNull(pair);
            shorten(context(directory).file(), ExchangeLayout.HEADER_BYTES + 4_096);
            assertThrows(ExchangeException.class, () -> ExchangeGuest.attach(context(directory)));
            shorten(context(directory).file(), 8);
            assertThrows(ExchangeException.class, () -> ExchangeGuest.attach(context(directory)));
        }
        errors.clear();
    }

    /** A guest tries again ten times a second: a mapping that only the garbage collector ends adds up. */
    @Test
    void shouldMapNoFileOfAHostThatDoesNotTakeTheGuest() throws Exception
    {
        final Path maps = Path.of("/proc/self/maps");
        assumeTrue(Files.exists(maps));
        final ExchangeContext context = context(directory);
        final byte[] left;
        try (Pair pair = Pair.host(context); ExchangeGuest first = ExchangeGuest.attach(context))
        {
            assertTrue(first.isAttached());
            left = Files.readAllBytes(context.file());
            final long before = mappings(maps, context);
            for (int i = 0; i < 5; i++)
            {
                assertTrue(assertThrows(ExchangeException.class, () -> ExchangeGuest.attach(context)).getMessage()
                    .contains("another guest"));
            }
            assertEquals(before, mappings(maps, context), "another guest is attached");
            assertTrue(pair.host.isGuestAttached());
        }
        final ExchangeContext stale = context(directory.resolve("stale"));
        ExchangeFiles.prepare(stale.directory);
        Files.write(stale.file(), left);
        Files.setPosixFilePermissions(stale.file(), PosixFilePermissions.fromString("rw-------"));
        for (int i = 0; i < 5; i++)
        {
            assertTrue(assertThrows(ExchangeException.class, () -> ExchangeGuest.attach(stale)).getMessage()
                .contains("no host"));
        }
        assertEquals(0, mappings(maps, stale), "a stale file");
    }

    /** A guest that tries again would bring back the folder of a host that has gone. */
    @Test
    void shouldLeaveAMissingFolderToTheHost() throws IOException
    {
        final ExchangeContext missing = context(directory.resolve("missing"));
        assertTrue(assertThrows(ExchangeException.class, () -> ExchangeGuest.attach(missing)).getMessage()
            .contains("no host"));
        assertFalse(Files.exists(missing.directory));
        Pair.host(missing).close();
        assertTrue(Files.exists(missing.directory));
    }

    /** S1. */
    @Test
    void shouldRefuseAFolderWhosePathIsTooLongForTheSocket() throws IOException
    {
        final int free =
            ExchangeContext.MAX_SOCKET_PATH_BYTES - context(directory).socket().toString().length() - "/".length();
        Pair.host(context(directory.resolve("x".repeat(free)))).close();

        final Path longer = directory.resolve("x".repeat(free + 1));
        final Path socket = longer.resolve(context(directory).socket().getFileName());
        assertEquals("path bytes of " + socket + " 107 is not in 1..106",
            assertThrows(IllegalArgumentException.class, () -> context(longer)).getMessage());

        // The default folder may be a long one where there is no /dev/shm. Another one may follow, so it is not
        // refused before its use.
        final ExchangeContext byDefault = context(directory);
        byDefault.directory = longer;
        assertThrows(IllegalArgumentException.class, () -> ExchangeHost.create(byDefault));
        assertThrows(IllegalArgumentException.class, () -> ExchangeGuest.attach(byDefault));
        assertThrows(IllegalArgumentException.class, () -> ExchangeGuest.launch(byDefault));
        assertTrue(Files.notExists(longer));
    }

    private static long mappings(final Path maps, final ExchangeContext context) throws IOException
    {
        return Files.readAllLines(maps).stream().filter(line -> line.contains(context.file().toString())).count();
    }

    static void shorten(final Path file, final long length) throws IOException
    {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw"))
        {
            opened.setLength(length);
        }
    }

    /** S6: the file is shortened under each side; it detaches, and the process lives. In JVMs that may die. */
    @Test
    void shouldDetachWhenTheFileShrinks() throws Exception
    {
        final String each = "host: PEER_LOST\nin flight: 3 ended, answered false\nguest: detached\n";
        shrink(1, each + each + "alive\n");
    }

    /** S6: calls at full speed meanwhile. */
    @Tag("faults")
    @Test
    void shouldDetachWhenTheFileShrinksDuringCalls() throws Exception
    {
        shrink(SHRINKS, "busy: PEER_LOST\nalive\n", "busy");
    }

    private void shrink(final int times, final String expected, final Object... how) throws Exception
    {
        final Path output = Files.createTempFile("shrunk", ".out");
        try
        {
            for (int i = 0; i < times; i++)
            {
                for (final Path jdk : ChildJvm.jdks())
                {
                    final List<Object> arguments = new ArrayList<>(List.of(directory));
                    arguments.addAll(List.of(how));
                    final Process child = Children.jvm(jdk).start(output, ShrunkPeer.class, arguments.toArray());
                    assertEquals(expected, Children.end(child, 0, output), jdk::toString);
                }
            }
        }
        finally
        {
            Files.delete(output);
        }
    }

    @Test
    void shouldHaveTheNumbersOfItsPage() throws Exception
    {
        final ExchangeContext context = context(directory);
        try (Pair pair = Pair.of(context.lanes(2).slots(4).payloadBytes(128).nestedDepth(1), Pair::plusOne);
            FileChannel file = FileChannel.open(context.file(), StandardOpenOption.READ))
        {
            assertTrue(pair.host.awaitGuest(Pair.LIMIT_S, TimeUnit.SECONDS));
            final ByteBuffer bytes = ByteBuffer.allocate((int)file.size()).order(ByteOrder.LITTLE_ENDIAN);
            while (file.read(bytes) > 0)
            {
                assertTrue(bytes.position() > 0);
            }
            assertEquals("MLRCIPC1", new String(bytes.array(), 0, 8, java.nio.charset.StandardCharsets.US_ASCII));
            assertEquals(1, bytes.getLong(8));
            assertEquals(List.of(2, 4, 128, 1),
                List.of(bytes.getInt(24), bytes.getInt(28), bytes.getInt(32), bytes.getInt(36)));
            assertEquals(256 + 2 * (256 + 5 * 384), file.size());
            assertEquals(file.size(), bytes.getLong(40));
            assertEquals(ProcessHandle.current().pid(), bytes.getLong(48));
            assertEquals(ProcessHandle.current().pid(), bytes.getLong(144));
        }
    }
}
