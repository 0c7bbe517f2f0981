package io.millrace.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;

/**
 * The parent's end of one child process: asks a line, waits for the answer. One thread.
 */
public final class ChildProcess implements AutoCloseable
{
    // A round takes one and a half times 0.7 s and the wait for its last event at most; this is a hang.
    private static final long HANG_MS = 60_000;
    private static final long END_MS = 5_000;
    private static final int FIRST_JDK_THAT_WARNS = 24;

    private final String name;
    private final Process process;
    private final PrintStream questions;
    private final BufferedReader answers;

    private ChildProcess(final String name, final Process process)
    {
        this.name = name;
        this.process = process;
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * The JVM flags of every child, the same for all.
     *
     * @return the flags, one an entry.
     */
    public static List<String> flags()
    {
        // The whole heap is there from the start, and the collector has no threads that run beside the two busy ones.
        final List<String> flags = new ArrayList<>(List.of(
            "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:-UsePerfData",
            // Affinity logs through SLF4J, which otherwise says on stderr that nobody listens.
            "-Dslf4j.internal.verbosity=ERROR"));
        if (Runtime.version().feature() >= FIRST_JDK_THAT_WARNS)
        {
            // Affinity's JNA loads a native library, which these JDKs warn about.
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        return flags;
    }

    /**
     * Start a child and wait until it is ready.
     *
     * @param name  of the child, for messages.
     * @param main  class that runs an {@link AnswerLoop}.
     * @param flags JVM flags beside {@link #flags()}; of two that contradict each other these count.
     * @param args  of the main class.
     * @return the running child.
     * @throws IOException when it cannot be started.
     */
    public static ChildProcess start(
        final String name, final Class<?> main, final List<String> flags, final String... args) throws IOException
    {
        return start(name, main, System.getProperty("java.class.path"), flags, args);
    }

    /**
     * Start a child with a class path of its own and wait until it is ready.
     *
     * @param name      of the child, for messages.
     * @param main      class that runs an {@link AnswerLoop}.
     * @param classPath where its classes are.
     * @param flags     JVM flags beside {@link #flags()}; of two that contradict each other these count.
     * @param args      of the main class.
     * @return the running child.
     * @throws IOException when it cannot be started.
     */
    public static ChildProcess start(
        final String name,
        final Class<?> main,
        final String classPath,
        final List<String> flags,
        final String... args) throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(args));
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final ChildProcess child = new ChildProcess(name, process);
        try
        {
            child.read();
            return child;
        }
        catch (final IOException ex)
        {
            child.close();
            throw ex;
        }
    }

    /**
     * Ask and wait for the answer.
     *
     * @param question the question.
     * @return the answer.
     * @throws IOException when the child failed, ended or hangs; the message names it.
     */
    public WireLine ask(final WireLine question) throws IOException
    {
        questions.println(question);
        return read();
    }

    private WireLine read() throws IOException
    {
        final Timer watchdog = new Timer("watchdog-" + name, true);
        watchdog.schedule(new TimerTask()
        {
            @Override
            public void run()
            {
                process.destroyForcibly();
            }
        }, HANG_MS);
        try
        {
            final String line = answers.readLine();
            if (line == null)
            {
                throw new IOException("the process of contender " + name + " ended or did not answer in time");
            }
            final WireLine answer = WireLine.parse(line);
            if ("failed".equals(answer.verb()))
            {
                throw new IOException("contender " + name + " failed: " + answer.text("why"));
            }
            return answer;
        }
        finally
        {
            watchdog.cancel();
        }
    }

    /**
     * End the child: its stdin ends, and it gets five seconds.
     */
    @Override
    public void close()
    {
        questions.close();
        try
        {
            if (!process.waitFor(END_MS, TimeUnit.MILLISECONDS))
            {
                process.destroyForcibly();
            }
        }
        catch (final InterruptedException ex)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
