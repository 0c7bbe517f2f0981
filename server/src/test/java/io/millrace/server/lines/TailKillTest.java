package io.millrace.server.lines;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** A child that tails a file with a committed position is killed again and again, also while the file is rotated. */
@Tag("faults")
class TailKillTest
{
    private static final int KILLS = 20;
    private static final int LINES_PER_ROUND = 20_000;

    @TempDir
    private Path folder;

    private int written;
    private int rotations;

    @Test
    void shouldDeliverEveryLineAfterKills() throws Exception
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int round = 0; round < KILLS; round++)
        {
            final Process child = start();
            try
            {
                if (round == 0)
                {
                    // Before its first position a start does not know which rotated files were read.
                    write(1);
                    await("position", seed, () -> Files.size(folder.resolve("position")) > 0);
                }
                for (int part = 0; part < 4; part++)
                {
                    write(LINES_PER_ROUND / 4);
                    if (random.nextInt(3) == 0)
                    {
                        rotate();
                    }
                    LockSupport.parkNanos(random.nextInt(80_000_000));
                }
            }
            finally
            {
                child.destroyForcibly().waitFor();
            }
            if (random.nextBoolean())
            {
                // While it is dead.
                write(1_000);
                rotate();
            }
        }
        final Process last = start();
        try
        {
            await("line " + (written - 1), seed,
                // The last character may not be whole yet, which readString() refuses.
                () -> new String(Files.readAllBytes(folder.resolve("out.log")), StandardCharsets.UTF_8)
                    .contains("\n" + (written - 1) + " "));
        }
        finally
        {
            last.destroyForcibly().waitFor();
        }
        check(seed);
    }

    private Process start() throws IOException
    {
        final Process child = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(),
            "-cp", System.getProperty("java.class.path"), TailProgram.class.getName(), folder.toString())
            .redirectError(folder.resolve("err").toFile()).start();
        child.getInputStream().read();
        return child;
    }

    private void write(final int count) throws IOException
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++)
        {
            text.append(written++).append(" \u20ac\n");
        }
        LinesFixture.append(folder.resolve("in.log"), text.toString());
    }

    private void rotate() throws IOException
    {
        final Path full = folder.resolve("in.log." + ++rotations);
        // Files that were written within one tick of the file system's clock have no order.
        Files.setLastModifiedTime(folder.resolve("in.log"),
            FileTime.from(System.currentTimeMillis() - 1_000_000 + rotations * 1_000L, TimeUnit.MILLISECONDS));
        Files.move(folder.resolve("in.log"), full);
        LinesFixture.append(folder.resolve("in.log"));
    }

    private void await(final String what, final long seed, final Callable<Boolean> reached) throws Exception
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!reached.call())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail(what + " is missing, seed " + seed + " " + Files.readString(folder.resolve("err")));
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private void check(final long seed) throws IOException
    {
        final List<String> lines = Files.readAllLines(folder.resolve("out.log"));
        int next = 0;
        for (final String line : lines)
        {
            final int number = Integer.parseInt(line.substring(0, line.indexOf(' ')));
            assertTrue(number <= next, "line " + next + " is missing before " + number + ", seed " + seed);
            next = Math.max(next, number + 1);
        }
        assertEquals(written, next, "seed " + seed);
        System.out.println(KILLS + " kills, " + rotations + " rotations: " + written + " lines, " +
            (lines.size() - written) + " of them twice");
    }
}
