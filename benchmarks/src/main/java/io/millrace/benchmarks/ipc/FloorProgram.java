package io.millrace.benchmarks.ipc;

import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The baselines in C, built from source. */
record FloorProgram(Path program)
{
    private static final int DIGITS = 3;
    private static final int NUMBERS = 7;

    /** Null without gcc, or outside of the project's folder. */
    static FloorProgram build(final Path directory) throws IOException, InterruptedException
    {
        final Path source = Path.of("benchmarks/src/main/c/ipc_floor.c");
        final Path program = directory.resolve("floor");
        if (!Files.exists(source))
        {
            return null;
        }
        try
        {
            final int exitCode = new ProcessBuilder("gcc", "-std=gnu11", "-O2", "-Iipc/src/main/c", "-o",
                program.toString(), source.toString()).inheritIO().start().waitFor();
            return exitCode == 0 ? new FloorProgram(program) : null;
        }
        catch (final IOException noCompiler)
        {
            return null;
        }
    }

    CallRound round(final CallKind kind, final int[] cpus, final int ms) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(program.toString(), kind == CallKind.C_LINE ? "line" : "exchange",
            Integer.toString(Math.max(0, cpus[0])), Integer.toString(Math.max(0, cpus[1])), Integer.toString(ms))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final String[] words =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim().split(" ");
        process.waitFor();
        if (words.length != NUMBERS)
        {
            throw new IOException("the baseline in C ended with exit code " + process.exitValue());
        }
        final long calls = Long.parseLong(words[0]);
        final Histogram histogram = new Histogram(DIGITS);
        // The program gives its percentiles; between them the histogram has the next greater one.
        final double[] shares = {0.5, 0.4, 0.09, 0.009};
        for (int i = 0; i < shares.length; i++)
        {
            histogram.recordValueWithCount(Long.parseLong(words[i + 3]), Math.max(1, Math.round(calls * shares[i])));
        }
        return new CallRound(calls, Long.parseLong(words[1]), calls, calls, Long.parseLong(words[2]), Double.NaN,
            histogram);
    }
}
