package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.jmh.ops.BookOps;
import org.openjdk.jmh.profile.CompilerProfiler;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs one line once: JMH with one fork, its output into a log file.
 */
final class Fork
{
    /**
     * The same for all. The heap: 128 MB hold the largest ring (0.5 MB) many times over, and its young generation is
     * touched before the start, so that no contender pays for fresh pages. Serial collector: the cheapest store
     * barrier, and no additional threads on a machine with two CPUs. The export is for the Agrona queues, the native
     * access for pinning, whose library would also warn that its log has no binding.
     */
    static final List<String> JVM_ARGS = List.of(
        "-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC",
        "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
        "-Dslf4j.internal.verbosity=ERROR");

    /** Warming up and measuring are two iterations each: JMH's log shows the trend. */
    private static final int ITERATIONS = 2;

    /** The slowest million of events takes half a second: JMH interrupts what takes this long. */
    private static final int TIMEOUT_SECONDS = 30;

    /** And what does not heed the interrupt is killed: JMH alone would wait for it without an end. */
    private static final int KILL_SECONDS = 90;

    private final Settings settings;
    private final Path log;

    Fork(final Settings settings)
    {
        this.settings = settings;
        log = settings.folder().resolve("jmh.log");
    }

    /**
     * Run it.
     *
     * @param line   what to run; the round is added to it, or the reason why it failed.
     * @param number of the round.
     */
    void run(final Line line, final int number) throws IOException, InterruptedException
    {
        final Path output = settings.folder().resolve("fork.log");
        Files.deleteIfExists(output);
        final Thread alarm = Daemon.start("alarm", Fork::killWhenLate);
        final HostWatch watch = new HostWatch();
        try
        {
            final Collection<RunResult> results = new Runner(options(line, output).build()).run();
            final BenchmarkResult result = results.iterator().next().getBenchmarkResults().iterator().next();
            final int limit = Math.max(Runtime.getRuntime().availableProcessors(), line.busyThreads());
            final double ns = result.getPrimaryResult().getScore();
            line.add(new ForkRound(number, ns, score(result, "gc.alloc.rate.norm"),
                score(result, "compiler.time.profiled") / settings.roundMs(), watch.stop(), limit, result));
        }
        catch (final RunnerException ex)
        {
            watch.stop();
            line.fail(reason(ex));
        }
        finally
        {
            alarm.interrupt();
            if (Files.exists(output))
            {
                Files.write(log, Files.readAllBytes(output), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                Files.delete(output);
            }
        }
    }

    private static void killWhenLate()
    {
        try
        {
            Thread.sleep(TimeUnit.SECONDS.toMillis(KILL_SECONDS));
            // The one child of this JVM is the fork.
            ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
        }
        catch (final InterruptedException ex)
        {
            // The fork has ended.
            Thread.currentThread().interrupt();
        }
    }

    private ChainedOptionsBuilder options(final Line line, final Path output)
    {
        final List<String> jvmArgs = new ArrayList<>(JVM_ARGS);
        jvmArgs.add("-Dreport.cpus=" + settings.cpuList());
        final ChainedOptionsBuilder options = new OptionsBuilder()
            .include("^" + Pattern.quote(line.benchmark) + "$")
            .forks(1)
            .jvmArgs(jvmArgs.toArray(String[]::new))
            .warmupIterations(ITERATIONS)
            .warmupTime(iteration(line.warmUps() * settings.warmUpMs()))
            .measurementIterations(ITERATIONS)
            .measurementTime(iteration(settings.roundMs()))
            .timeout(TimeValue.seconds(TIMEOUT_SECONDS))
            .shouldFailOnError(true)
            .addProfiler(HeapCleaner.class)
            .addProfiler(GCProfiler.class)
            .addProfiler(CompilerProfiler.class)
            .output(output.toString());
        line.parameters.forEach(options::param);
        final String operation = line.parameters.get("operation");
        if (operation != null)
        {
            options.operationsPerInvocation(BookOps.perInvocation(operation));
        }
        return options;
    }

    private static TimeValue iteration(final int ms)
    {
        return TimeValue.milliseconds(Math.max(1, ms / ITERATIONS));
    }

    private static double score(final BenchmarkResult result, final String name)
    {
        final Result<?> score = result.getSecondaryResults().get(name);
        if (score == null)
        {
            throw new IllegalStateException("JMH's profilers did not say " + name);
        }
        return score.getScore();
    }

    /** The innermost reason: JMH wraps what happened in the fork several times. */
    private static String reason(final RunnerException failure)
    {
        Throwable inner = failure;
        while (inner.getCause() != null || inner.getSuppressed().length > 0)
        {
            inner = inner.getCause() != null ? inner.getCause() : inner.getSuppressed()[0];
        }
        return inner.getMessage() != null ? inner.getMessage() : inner.toString();
    }
}
