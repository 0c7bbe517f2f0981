package io.millrace.journal;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.Descriptors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.MappedByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** J12, J14, J18, J19 against the operating system itself: full disks, failed calls, other processes, rights. */
class JournalDiskTest
{
    private static final Pattern STOPPED = Pattern.compile("the journal stopped behind record (\\d+)");

    @TempDir
    private Path folder;
    private MappedByteBuffer ledger;

    private static ChildJvm child()
    {
        return new ChildJvm().flags("-XX:TieredStopAtLevel=1", "-Xmx64m", "-XX:-UsePerfData");
    }

    /** Runs the program in a JVM whose disk fails; it must end with the exit code of a failed journal. */
    private void fail(final Durability durability, final ChildJvm child) throws IOException, InterruptedException
    {
        ledger = Ledger.map(folder.resolve("ledger"), CrashingProgram.LEDGER_LENGTH);
        final long before = ledger.getLong(CrashingProgram.ACKNOWLEDGED_OFFSET);
        child.run(CrashingProgram.class, folder.resolve("j"), folder.resolve("ledger"), durability.name());
        assertEquals(CrashingProgram.JOURNAL_FAILED, child.exitCode, child::toString);
        final long acknowledged = ledger.getLong(CrashingProgram.ACKNOWLEDGED_OFFSET);
        assertTrue(acknowledged > before, () -> "it acknowledged " + acknowledged + " records before");
        final Matcher stopped = STOPPED.matcher(child.toString());
        assertTrue(stopped.find() && Long.parseLong(stopped.group(1)) >= acknowledged, child::toString);
        final Accounts accounts = new Accounts();
        final RecoveryReport report = Journals.recover(folder.resolve("j"), accounts);
        assertTrue(report.sequence() >= acknowledged, report.text());
        assertEquals(Accounts.hashAfter(report.sequence()), accounts.stateHash());
    }

    @Tag("faults")
    @ParameterizedTest
    @CsvSource({"fdatasync, EIO, 60, EVERY_BATCH", "pwrite64, EIO, 200, EVERY_BATCH", "pwrite64, ENOSPC, 200, OS_CACHE",
        "fdatasync, EIO, 40, EVERY_EVENT"})
    void shouldStopWhenTheOperatingSystemFails(
        final String call, final String error, final int number, final Durability durability) throws Exception
    {
        final ChildJvm child = child().refusing(call, "error=" + error + ":when=" + number + "+");
        fail(durability, child);
        // A segment was prepared under another name. Without a prepared one, a write may fail under that.
        final String name = error.equals("EIO") ? "\\d{10}\\.log: Input/output error" : "\\d{10}\\.(log|tmp): No space";
        assertTrue(Pattern.compile("/j/segment-" + name).matcher(child.toString()).find(), child::toString);
    }

    /** Nothing may be written behind 12 KiB of a file: a write to a segment of 16 KiB is short, the next one fails. */
    @Test
    void shouldStopAtTheLimitOfAFile() throws Exception
    {
        assumeTrue(ChildJvm.works("bash", "-c", "ulimit -f 12"), "there is no bash");
        Journals.write(Journals.context(folder.resolve("j")), 10, 5, true);
        final ChildJvm child = child().under("bash", "-c", "ulimit -f 12; exec \"$0\" \"$@\"");
        fail(Durability.EVERY_BATCH, child);
        final String segment = folder.resolve("j").resolve(Segment.name(1)).toString();
        assertTrue(child.toString().contains(segment + ": File too large"), child::toString);
    }

    @Tag("faults")
    @Test
    void shouldStopWhenTheDiskIsFullAndGoOnWhenItHasSpaceAgain() throws Exception
    {
        final Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(ChildJvm.works("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString()),
            "this user may mount nothing");
        try
        {
            final Path ballast = Files.write(disk.resolve("ballast"), new byte[2 << 20]);
            final JournalContext<Command> context = onDisk(disk);
            final Journal<Command> journal = Journal.open(context);
            journal.recover(new Accounts());
            final JournalException full = assertThrows(JournalException.class, () ->
            {
                for (long value = 1; ; value += 10)
                {
                    Journals.append(journal, value, value + 9, 10);
                }
            });
            assertTrue(full.getMessage().contains(disk.resolve("j/segment-").toString()), full.getMessage());
            assertTrue(full.getMessage().endsWith(": No space left on device"), full.getMessage());
            final long committed = journal.committedSequence();
            assertTrue(committed > 10_000, () -> "committed " + committed);
            journal.close();
            Files.delete(ballast);
            final Accounts accounts = new Accounts();
            try (Journal<Command> again = Journal.open(onDisk(disk)))
            {
                final long recovered = again.recover(accounts).sequence();
                assertTrue(recovered >= committed);
                assertEquals(Accounts.hashAfter(recovered), accounts.stateHash());
                Journals.append(again, recovered + 1, recovered + 5_000, 10);
                assertEquals(recovered + 5_000, again.committedSequence());
            }
        }
        finally
        {
            assertTrue(ChildJvm.works("umount", disk.toString()));
        }
    }

    private static JournalContext<Command> onDisk(final Path disk)
    {
        return Journals.context(disk.resolve("j")).fileOps(new SystemFiles()).segmentBytes(1 << 20)
            .bufferBytes(65_536);
    }

    @Test
    void shouldRefuseASecondProcessAHundredTimes() throws Exception
    {
        final Path directory = folder.resolve("j");
        try (Journal<Command> journal = Journal.open(Journals.context(directory)))
        {
            journal.recover(new Accounts());
            final List<String> lines = child().lines(LockedProgram.class, directory, 100);
            assertEquals(100, lines.size());
            lines.forEach(line -> assertTrue(line.startsWith("LOCKED ") &&
                line.contains("is locked by pid " + ProcessHandle.current().pid() + " on "), line));
            Journals.append(journal, 1, 10, 1);
        }
        assertEquals(List.of("opened"), child().lines(LockedProgram.class, directory, 1));
    }

    @Test
    void shouldKeepTheLockWhenItsOwnProcessTriesToOpenTheJournalAgain() throws Exception
    {
        final Path directory = folder.resolve("j");
        final Path link = Files.createSymbolicLink(folder.resolve("link"), folder).resolve("j");
        try (Journal<Command> journal = Journal.open(Journals.context(directory)))
        {
            journal.recover(new Accounts());
            for (final Path again : List.of(directory, link))
            {
                final JournalException refusal =
                    assertThrows(JournalException.class, () -> Journal.open(Journals.context(again)));
                assertEquals(JournalException.Kind.LOCKED, refusal.kind(), refusal.getMessage());
            }
            shouldBeLocked(directory);
        }
        Journal.open(Journals.context(link)).close();
    }

    @Test
    void shouldHaveNoLockAfterAnOpeningWithoutMemory() throws Exception
    {
        assertEquals(List.of("opened", "no memory", "opened"), child().flags("-XX:MaxDirectMemorySize=64k")
            .lines(OpenWithoutMemoryProgram.class, folder.resolve("j")));
    }

    /** For example because clients have them all: neither a look at the disk nor the first mark needs one. */
    @Test
    void shouldOutliveASecondWithoutAFreeDescriptor() throws Exception
    {
        for (final String start : List.of("first start", "restart"))
        {
            assertEquals(List.of("true", "null"),
                child().withFewDescriptors().lines(ScarceDescriptorsProgram.class, folder.resolve("j")), start);
        }
    }

    private static void shouldBeLocked(final Path directory) throws IOException, InterruptedException
    {
        final List<String> lines = child().lines(LockedProgram.class, directory, 1);
        assertTrue(lines.get(0).startsWith("LOCKED "), lines::toString);
    }

    /** A descriptor that the classes of another loader open would end the lock when those classes are collected. */
    @Test
    void shouldKeepTheLockWhenAnotherClassLoaderTriesToOpenTheJournal() throws Exception
    {
        final Path directory = folder.resolve("j");
        final List<URL> classPath = new ArrayList<>();
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator))
        {
            classPath.add(Path.of(entry).toUri().toURL());
        }
        try (Journal<Command> journal = Journal.open(Journals.context(directory));
            URLClassLoader loader = new URLClassLoader(
                classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader()))
        {
            journal.recover(new Accounts());
            final Method settings = loader.loadClass(Journals.class.getName()).getDeclaredMethod("context", Path.class);
            settings.setAccessible(true);
            final Object context = settings.invoke(null, directory);
            assertNotSame(JournalContext.class, context.getClass());
            final Method open = loader.loadClass(Journal.class.getName()).getMethod("open", context.getClass());
            for (int attempt = 0; attempt < 3; attempt++)
            {
                final Throwable refusal =
                    assertThrows(InvocationTargetException.class, () -> open.invoke(null, context)).getCause();
                assertTrue(refusal.getMessage().contains("is locked by pid " + ProcessHandle.current().pid() + " on "),
                    refusal.toString());
            }
            assertEquals(1, Descriptors.countOf(directory.resolve("journal.lock")));
            shouldBeLocked(directory);
        }
    }

    /** Without permission, for example, it is there: that no such file exists would mislead. */
    @Test
    void shouldReportWhyItCannotReadTheFreeSpace() throws IOException
    {
        final Path loop = folder.resolve("loop");
        final Path inside = Files.createSymbolicLink(loop, loop).resolve("j");
        final FileSystemException why =
            assertThrows(FileSystemException.class, () -> new SystemFiles().usableBytes(inside));
        assertEquals(FileSystemException.class, why.getClass(), why::toString);
        assertTrue(why.getMessage().startsWith(inside + ": "), why::toString);
        assertThrows(NoSuchFileException.class, () -> new SystemFiles().usableBytes(folder.resolve("none")));
    }

    @Test
    void shouldRefuseADirectoryThatItMayNotWriteTo() throws Exception
    {
        final Path directory = folder.resolve("j");
        Journals.write(Journals.context(directory), 10, 5, true);
        final boolean root = "root".equals(System.getProperty("user.name"));
        if (root)
        {
            Files.setOwner(directory,
                FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        else
        {
            Files.delete(directory.resolve(JournalDirectory.LOCK));
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-x------"));
        }
        final JournalException refusal =
            assertThrows(JournalException.class, () -> Journal.open(Journals.context(directory)));
        assertEquals(JournalException.Kind.UNUSABLE, refusal.kind(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(root ? "is owned by nobody" : directory.toString()),
            refusal.getMessage());
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    @Tag("faults")
    @Test
    void shouldRefuseADiskThatIsMountedReadOnly() throws Exception
    {
        final Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(ChildJvm.works("mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", disk.toString()),
            "this user may mount nothing");
        try
        {
            final JournalException refusal =
                assertThrows(JournalException.class, () -> Journal.open(Journals.context(disk.resolve("j"))));
            assertEquals(JournalException.Kind.UNUSABLE, refusal.kind());
            assertTrue(refusal.getMessage().contains("Read-only file system"), refusal.getMessage());
        }
        finally
        {
            assertTrue(ChildJvm.works("umount", disk.toString()));
        }
    }
}
