package io.millrace.exchange;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An exchange is killed by SIGKILL under the load of eight clients that reconnect and retry. No acknowledged command is
 * lost, none is executed twice, and every client's answers have no gap and no repetition.
 */
class CrashTest
{
    @TempDir
    private Path folder;

    private void kill(final int kills, final long seed) throws IOException, InterruptedException
    {
        final long answers = new CrashRun(folder, seed).run(kills);
        System.out.println("CrashTest: " + kills + " kills, " + answers + " answers, 0 lost, 0 twice");
        assertTrue(answers > kills * 100L, answers + " answers");
    }

    @Test
    void shouldLoseNothingAndRepeatNothingWhenItIsKilled() throws IOException, InterruptedException
    {
        kill(2, 1);
    }

    @Tag("faults")
    @Test
    void shouldLoseNothingAndRepeatNothingWhenItIsKilledSixtyTimes() throws IOException, InterruptedException
    {
        kill(60, 2);
    }

    @Tag("nightly")
    @Test
    void shouldLoseNothingAndRepeatNothingWhenItIsKilledFiveHundredTimes() throws IOException, InterruptedException
    {
        kill(Integer.getInteger("nightly.kills", 1_000) / 2, Long.getLong("seed", 3));
    }
}
