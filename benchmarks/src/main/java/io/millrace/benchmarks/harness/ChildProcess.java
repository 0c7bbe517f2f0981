package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;

/**
 * The parent's end of a child JVM. The child opens one object; the parent sends it questions about that object, as
 * serialized lambdas, and waits for the answers. One thread.
 *
 * @param <T> the object in the child.
 */
public final class ChildProcess<T> implements AutoCloseable
{
    // A round takes one and a half times 0.7 s and the wait for its last event at most; this is a hang.
    private static final long HANG_MS = 60_000;
    private static final long END_MS = 5_000;
    private static final int FIRST_JDK_THAT_WARNS = 24;
    /** System property with more flags for every child. Set by tests, whose children need not be fast. */
    private static final String MORE_FLAGS = "millrace.childFlags";

    private final String name;
    private final Process process;
    private ObjectOutputStream questions;
    private ObjectInputStream answers;

    private ChildProcess(final String name, final Process process)
    {
        this.name = name;
        this.process = process;
    }

    /**
     * Makes the child's object, in the child.
     *
     * @param <T> the object.
     */
    @FunctionalInterface
    public interface Opening<T> extends Serializable
    {
        /**
         * Make the object.
         *
         * @return the object.
         * @throws Exception when it cannot be made; the child does not start then.
         */
        T open() throws Exception;
    }

    /**
     * A question, which runs in the child. It must not capture the parent's report, only values that can be serialized.
     *
     * @param <T> the object in the child.
     * @param <A> the answer, which can be serialized.
     */
    @FunctionalInterface
    public interface Question<T, A> extends Serializable
    {
        /**
         * Answer the question.
         *
         * @param own the child's object.
         * @return the answer.
         * @throws Exception when there is none: the parent gets the reason, and may ask again.
         */
        A ask(T own) throws Exception;
    }

    /** The JVM flags of every child, the same for all. */
    public static List<String> flags()
    {
        // The whole heap is there from the start, and the collector adds no threads to the two busy ones.
        final List<String> flags = new ArrayList<>(List.of(
            "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:-UsePerfData",
            // Affinity logs through SLF4J, which otherwise warns on stderr that it has no binding.
            "-Dslf4j.internal.verbosity=ERROR"));
        if (Runtime.version().feature() >= FIRST_JDK_THAT_WARNS)
        {
            // Affinity's JNA loads a native library, which these JDKs warn about.
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        flags.addAll(List.of(System.getProperty(MORE_FLAGS, "").trim().split(" ")));
        flags.remove("");
        return flags;
    }

    /**
     * The flags of every child and more.
     *
     * @param more flags that come after them; of two that contradict each other these count.
     * @return all flags.
     */
    public static List<String> flags(final List<String> more)
    {
        final List<String> flags = flags();
        flags.addAll(more);
        return flags;
    }

    /**
     * Start a child and wait until it has opened its object.
     *
     * @param name    of the child, for messages.
     * @param flags   JVM flags after {@link #flags()}; of two that contradict each other these count.
     * @param opening makes the object.
     * @param <T>     the object.
     * @return the running child.
     * @throws IOException when it cannot be started.
     */
    public static <T> ChildProcess<T> start(final String name, final List<String> flags, final Opening<T> opening)
        throws IOException
    {
        return start(name, System.getProperty("java.class.path"), flags, opening);
    }

    /**
     * Start a child with another class path and wait until it has opened its object.
     *
     * @param name      of the child, for messages.
     * @param classPath where its classes are.
     * @param flags     JVM flags after {@link #flags()}; of two that contradict each other these count.
     * @param opening   makes the object.
     * @param <T>       the object.
     * @return the running child.
     * @throws IOException when it cannot be started.
     */
    public static <T> ChildProcess<T> start(
        final String name, final String classPath, final List<String> flags, final Opening<T> opening)
        throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags(flags));
        command.addAll(List.of("-cp", classPath, ChildMain.class.getName()));
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final ChildProcess<T> child = new ChildProcess<>(name, process);
        try
        {
            child.exchange(opening);
            return child;
        }
        catch (final IOException ex)
        {
            child.close();
            throw ex;
        }
    }

    @SuppressWarnings("unchecked")
    static Object answer(final Object question, final Object own) throws Exception
    {
        return question instanceof Opening ?
            ((Opening<?>)question).open() : ((Question<Object, ?>)question).ask(own);
    }

    /**
     * Ask and wait for the answer.
     *
     * @param question the question.
     * @param <A>      the answer.
     * @return the answer.
     * @throws IOException when the child failed, ended or hangs; the message names it.
     */
    @SuppressWarnings("unchecked")
    public <A> A ask(final Question<? super T, A> question) throws IOException
    {
        return (A)exchange(question);
    }

    private Object exchange(final Serializable question) throws IOException
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
        final Object answer;
        try
        {
            if (questions == null)
            {
                questions = new ObjectOutputStream(process.getOutputStream());
                questions.flush();
                answers = new ObjectInputStream(process.getInputStream());
            }
            questions.writeObject(question);
            questions.reset();
            questions.flush();
            answer = answers.readObject();
        }
        catch (final IOException | ClassNotFoundException ex)
        {
            throw new IOException("the process of contender " + name + " ended or did not answer in time: " + ex, ex);
        }
        finally
        {
            watchdog.cancel();
        }
        if (answer instanceof ChildMain.Failure)
        {
            throw new IOException("contender " + name + " failed: " + ((ChildMain.Failure)answer).reason());
        }
        return answer;
    }

    /**
     * End the child: its stdin ends, and it gets five seconds.
     */
    @Override
    public void close()
    {
        try
        {
            process.getOutputStream().close();
            if (!process.waitFor(END_MS, TimeUnit.MILLISECONDS))
            {
                process.destroyForcibly();
            }
        }
        catch (final IOException ex)
        {
            process.destroyForcibly();
        }
        catch (final InterruptedException ex)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
