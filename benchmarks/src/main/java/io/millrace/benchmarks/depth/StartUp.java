package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.Quantile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts {@link StartUpMain} some times, in JVMs without any flag. One thread.
 */
final class StartUp
{
    /** An odd number, so that the median is a start that there was. */
    static final int STARTS = 5;

    private static final long END_SECONDS = 30;

    private StartUp()
    {
    }

    /** Results of the starts, as text. */
    static List<String> lines(final int starts) throws IOException
    {
        final List<double[]> answers = new ArrayList<>();
        for (int i = 0; i < starts; i++)
        {
            answers.add(start());
        }
        return List.of(
            String.format(Locale.ROOT, "start-up with the defaults, median of %d starts: %.0f ms from main to the " +
                "server's being ready, %.0f ms to the first result; before main the JVM took %.0f ms; no JVM flag",
                starts, median(answers, StartUpMain.READY_MS), median(answers, StartUpMain.ANSWERED_MS),
                median(answers, StartUpMain.TO_MAIN_MS)),
            String.format(Locale.ROOT, "heap in use by then, after a collection: %.2f MB (the book of one symbol, a " +
                "ring of commands and one of executions, the JVM's own)",
                median(answers, StartUpMain.HEAP_BYTES) / 1e6));
    }

    private static double median(final List<double[]> answers, final int index)
    {
        return Quantile.median(answers.stream().mapToDouble(times -> times[index]).toArray());
    }

    private static double[] start() throws IOException
    {
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"), StartUpMain.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        process.getOutputStream().close();
        try (BufferedReader out = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
        {
            final String line = out.readLine();
            if (line == null || !process.waitFor(END_SECONDS, TimeUnit.SECONDS))
            {
                throw new IOException("the server started for the start-up times did not start or did not end");
            }
            return Stream.of(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", ex);
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
