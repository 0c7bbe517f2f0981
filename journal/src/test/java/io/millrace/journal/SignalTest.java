package io.millrace.journal;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * P10, P11, P16: signals to a process with a server and its journal, under load, again and again on one journal. The
 * ledger of what it answered lies outside of it.
 */
class SignalTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_MS = 6_000;
    private static final int MAX_DELAY_US = 50_000;
    private static final int SIGINT = 130;
    private static final List<String> TOPOLOGIES = List.of("serial many", "across many", "parallel many", "serial one");

    @TempDir
    private Path folder;
    private MappedByteBuffer ledger;
    private Process process;
    private int cycle;
    private long recovered;
    private long answered;
    private long longestMs;

    @BeforeEach
    void mapTheLedger() throws IOException
    {
        ledger = Ledger.map(folder.resolve("ledger"), ServedProgram.LEDGER_LENGTH);
    }

    private void start() throws IOException
    {
        ledger.putLong(ServedProgram.STARTED_OFFSET, 0);
        ledger.putLong(ServedProgram.RECOVERED_OFFSET, -1);
        ledger.putLong(ServedProgram.MARKS_OFFSET, 0);
        // A shell starts its background jobs with SIGINT ignored, and a child would ignore it, too.
        process = new ChildJvm().under("env", "--default-signal=INT")
            .flags("-XX:TieredStopAtLevel=1", "-Xmx64m", "-XX:-UsePerfData")
            .start(folder.resolve("output"), ServedProgram.class, folder.resolve("j"), folder.resolve("ledger"),
                TOPOLOGIES.get(cycle++ % TOPOLOGIES.size()));
    }

    private void await(final String what, final BooleanSupplier reached) throws IOException
    {
        ChildJvm.await(process, folder.resolve("output"), "cycle " + cycle + ": no " + what, reached);
    }

    private void startUnderLoad() throws IOException
    {
        start();
        await("answer", () -> ledger.getLong(ServedProgram.RECOVERED_OFFSET) >= 0 &&
            ledger.getLong(ServedProgram.ANSWERED_OFFSET) > ledger.getLong(ServedProgram.RECOVERED_OFFSET));
    }

    private void signal(final String name) throws InterruptedException
    {
        // A process that has ended meanwhile gets none.
        ChildJvm.works("kill", "-" + name, "" + process.pid());
    }

    private int end() throws IOException, InterruptedException
    {
        if (!process.waitFor(LONG_NS, TimeUnit.NANOSECONDS))
        {
            process.destroyForcibly();
            fail("cycle " + cycle + ": no end; " + Files.readString(folder.resolve("output")));
        }
        return process.exitValue();
    }

    /** What was answered before is there, once; also after a kill. */
    private RecoveryReport assertNothingLost()
    {
        answered = Math.max(answered, ledger.getLong(ServedProgram.ANSWERED_OFFSET));
        final Accounts accounts = new Accounts();
        final RecoveryReport report;
        try (Journal<Command> journal = Journal.open(Journals.context(folder.resolve("j"))))
        {
            report = journal.recoverTo(accounts, Long.MAX_VALUE, Long.MAX_VALUE);
        }
        assertTrue(report.sequence() >= answered, () -> "answered " + answered + ", " + report.text());
        assertEquals(Accounts.hashAfter(report.sequence()), accounts.stateHash());
        assertEquals(List.of(), report.warnings());
        final long before = ledger.getLong(ServedProgram.RECOVERED_OFFSET);
        if (before >= 0)
        {
            assertTrue(before >= recovered, () -> "recovered " + recovered + ", then " + before);
            assertEquals(Accounts.hashAfter(before), ledger.getLong(ServedProgram.HASH_OFFSET));
        }
        recovered = report.sequence();
        return report;
    }

    /** Everything that was published is journaled, processed and answered, and a snapshot is there. */
    private void assertOrderlyEnd() throws IOException
    {
        final RecoveryReport report = assertNothingLost();
        assertEquals(report.sequence(), ledger.getLong(ServedProgram.PUBLISHED_OFFSET));
        assertEquals(report.sequence(), ledger.getLong(ServedProgram.JOURNALED_OFFSET));
        assertEquals(report.sequence(), ledger.getLong(ServedProgram.PROCESSED_OFFSET));
        assertEquals(report.sequence(), ledger.getLong(ServedProgram.ANSWERED_OFFSET));
        assertEquals(report.snapshot(), ledger.getLong(ServedProgram.SNAPSHOT_OFFSET));
        assertTrue(report.snapshot() > ledger.getLong(ServedProgram.RECOVERED_OFFSET), report.text());
        longestMs = Math.max(longestMs, ledger.getLong(ServedProgram.CLOSE_NS_OFFSET) / 1_000_000);
    }

    private void terminate(final int cycles, final int signals) throws IOException, InterruptedException
    {
        final Random random = new Random(cycles);
        for (int i = 0; i < cycles; i++)
        {
            startUnderLoad();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(MAX_DELAY_US)));
            for (int n = 0; n < signals; n++)
            {
                signal(n % 2 == 0 ? "TERM" : "INT");
            }
            assertEquals(0, end(), () -> "cycle " + cycle + ": " + process);
            assertOrderlyEnd();
        }
        System.out.println(cycles + " ends by " + signals + " signals, the longest in " + longestMs + " ms, " +
            answered + " answers");
    }

    /** P10. */
    @Test
    void shouldAnswerAllThatItTookWhenItIsTerminatedUnderLoad() throws IOException, InterruptedException
    {
        terminate(1, 1);
    }

    /** P10. */
    @Tag("faults")
    @Test
    void shouldAnswerAllThatItTookWhenItIsTerminatedFiftyTimes() throws IOException, InterruptedException
    {
        terminate(50, 1);
    }

    /** P11. */
    @Tag("faults")
    @Test
    void shouldEndOnceWhenItIsTerminatedTwice() throws IOException, InterruptedException
    {
        terminate(10, 3);
    }

    /**
     * P11: a signal at any point of the start, then a kill at any point of the end. A JVM that gets the signal while it
     * starts itself may end with 1 ("Bad level: 2", JDK 17); the program has not begun then, so the test waits for it.
     */
    @Tag("faults")
    @Test
    void shouldLoseNothingWhenItIsInterruptedInItsStartAndKilledInItsEnd() throws IOException, InterruptedException
    {
        final Random random = new Random(11);
        int beforeTheHook = 0;
        int inTheEnd = 0;
        for (int i = 0; i < 20; i++)
        {
            start();
            await("start", () -> ledger.getLong(ServedProgram.STARTED_OFFSET) != 0);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(500)));
            signal("INT");
            final int exitCode = end();
            final String output = Files.readString(folder.resolve("output"));
            assertTrue(exitCode == 0 || exitCode == SIGINT, () -> "exit code " + exitCode + ": " + output);
            beforeTheHook += exitCode == 0 ? 0 : 1;
            assertNothingLost();

            startUnderLoad();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(MAX_DELAY_US)));
            process.destroy();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
            process.destroyForcibly();
            inTheEnd += end() == 0 ? 0 : 1;
            assertNothingLost();
        }
        System.out.println("of 20 each: " + beforeTheHook + " interrupted in the start, " + inTheEnd +
            " killed in the end");
    }

    /** P16: nothing lost, no other order, no stall is reported, and the mark is not written for each missed second. */
    @Tag("faults")
    @Test
    void shouldGoOnWhenItWasStoppedForSixSeconds() throws IOException, InterruptedException
    {
        for (int i = 0; i < 3; i++)
        {
            final long beginNs = System.nanoTime();
            startUnderLoad();
            signal("STOP");
            Thread.sleep(PAUSE_MS);
            final long stopped = ledger.getLong(ServedProgram.ANSWERED_OFFSET);
            signal("CONT");
            await("answer", () -> ledger.getLong(ServedProgram.ANSWERED_OFFSET) > stopped + 10_000);
            final long marks = ledger.getLong(ServedProgram.MARKS_OFFSET);
            final long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs);
            assertTrue(marks <= Math.max(0, seconds - PAUSE_MS / 1_000) + 2, () -> marks + " marks in " + seconds);
            assertEquals(0, ledger.getLong(ServedProgram.STALLS_OFFSET));
            signal("TERM");
            assertEquals(0, end(), () -> "cycle " + cycle);
            assertOrderlyEnd();
        }
    }
}
