package io.millrace.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The main loop of a child process: one answer for each line on stdin. Between two of them it blocks there and uses no
 * CPU. It ends when its stdin ends.
 */
public final class AnswerLoop
{
    private AnswerLoop()
    {
    }

    /**
     * What a child knows.
     */
    @FunctionalInterface
    public interface Answerer
    {
        /**
         * Answer a question.
         *
         * @param question the question.
         * @return the answer.
         * @throws Exception when there is none: the asking process is told why, and may ask on.
         */
        WireLine answer(WireLine question) throws Exception;
    }

    /**
     * Say that the child is ready, then answer until stdin ends.
     *
     * @param answerer what the child knows.
     * @throws IOException when stdin cannot be read.
     */
    public static void run(final Answerer answerer) throws IOException
    {
        final PrintStream answers = System.out;
        // Whatever else prints must not get between the answers.
        System.setOut(System.err);
        final BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        answers.println(new WireLine("ready"));
        answers.flush();
        for (String line = questions.readLine(); line != null; line = questions.readLine())
        {
            answers.println(answer(answerer, WireLine.parse(line)));
            answers.flush();
        }
    }

    private static WireLine answer(final Answerer answerer, final WireLine question)
    {
        try
        {
            return answerer.answer(question);
        }
        catch (final Exception ex)
        {
            ex.printStackTrace();
            return new WireLine("failed").put("why", ex.toString());
        }
    }

    /**
     * Do what binds its thread to a CPU. The calling thread, which starts the threads of later rounds, must not be.
     *
     * @param task what to do.
     * @param <T>  what it comes to.
     * @return the result.
     * @throws InterruptedException when the calling thread is interrupted.
     * @throws ExecutionException   when the task failed.
     */
    public static <T> T onOwnThread(final Callable<T> task) throws InterruptedException, ExecutionException
    {
        final FutureTask<T> future = new FutureTask<>(task);
        final Thread thread = new Thread(future, "one-thread");
        thread.start();
        thread.join();
        return future.get();
    }
}
